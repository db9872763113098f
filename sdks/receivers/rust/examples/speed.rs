//! Compares the verification of a webhook of 1 KiB with a bare HMAC. Prints rates a second: `[[verified, hashed], …]`.

use hmac::{Hmac, Mac};
use posthorn_webhooks::{sign, Verifier};
use sha2::Sha256;
use std::hint::black_box;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const PAIRS: u32 = 7;

fn per_second(limit: Duration, mut run: impl FnMut()) -> f64 {
    let began = Instant::now();
    let mut count = 0u32;
    while began.elapsed() < limit {
        for _ in 0..100 {
            run();
        }
        count += 100;
    }
    f64::from(count) / began.elapsed().as_secs_f64()
}

fn main() {
    let seconds: f64 = std::env::args()
        .nth(1)
        .map_or(7.0, |text| text.parse().expect("seconds"));
    let part = Duration::from_secs_f64(seconds / f64::from(2 * PAIRS));
    let body = vec![b'x'; 1024];
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let headers = sign(
        &body,
        "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=",
        "msg_1",
        now,
    )
    .unwrap();
    let verifier = Verifier::new(&["whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="]).unwrap();
    let verify = || {
        let pairs = headers.iter().map(|(name, value)| (*name, value.as_str()));
        black_box(verifier.verify(black_box(&body), pairs)).expect("a genuine webhook");
    };
    let hash = || {
        let mac = Hmac::<Sha256>::new_from_slice(&[b'a'; 32]).unwrap();
        black_box(mac.chain_update(black_box(&body)).finalize());
    };
    per_second(part, verify);
    per_second(part, hash);
    let pairs: Vec<String> = (0..PAIRS)
        .map(|_| format!("[{}, {}]", per_second(part, verify), per_second(part, hash)))
        .collect();
    println!("[{}]", pairs.join(", "));
}

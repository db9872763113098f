//! Verifies the webhooks of Posthorn.
//!
//! [`Verifier::verify`] takes the headers as pairs, so that it works with every framework, and the body as it arrived.

use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, Engine};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The largest body that a receiver needs to read: an event of 1 MiB in an envelope, with base64.
pub const MOST_BYTES: usize = 3 << 19;

const MOST_SIGNATURES: usize = 100;

/// Decodes base64 with or without its padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// A genuine webhook: its signature was verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The event's id, the same in every attempt. If you have seen an id before, the webhook is a repetition.
    pub id: String,
    /// The time of this attempt, in unix seconds.
    pub timestamp: u64,
    /// `None` for an event that was sent to this endpoint alone. This and the fields below are not signed.
    pub event_type: Option<String>,
    pub delivery_id: Option<String>,
    /// The content type that the producer sent.
    pub content_type: Option<String>,
    /// Counts the attempts of this delivery from 1.
    pub attempt: u32,
}

/// The reason why a webhook is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    MissingHeader,
    InvalidTimestamp,
    TooOld,
    TooNew,
    NoMatchingSignature,
    /// The secret of the receiver cannot be used.
    InvalidSecret,
}

impl Reason {
    /// The code of the reason, the same in every language.
    pub fn code(self) -> &'static str {
        match self {
            Reason::MissingHeader => "missing_header",
            Reason::InvalidTimestamp => "invalid_timestamp",
            Reason::TooOld => "too_old",
            Reason::TooNew => "too_new",
            Reason::NoMatchingSignature => "no_matching_signature",
            Reason::InvalidSecret => "invalid_secret",
        }
    }
}

/// The webhook is not genuine, for this `reason`. The error never shows a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerificationError {
    pub reason: Reason,
    message: String,
}

impl fmt::Display for VerificationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for VerificationError {}

fn fail<T>(reason: Reason, message: impl Into<String>) -> Result<T, VerificationError> {
    Err(VerificationError {
        reason,
        message: message.into(),
    })
}

enum Key {
    Secret(Hmac<Sha256>),
    #[cfg(feature = "ed25519")]
    Public(Box<ed25519_dalek::VerifyingKey>),
}

/// Verifies webhooks with secrets that are read once. Many threads may use it at the same time.
pub struct Verifier {
    keys: Vec<Key>,
    tolerance: Duration,
}

impl Verifier {
    /// Takes secrets (`whsec_…`) and, with the feature `ed25519`, public keys (`whpk_…`). During a rotation, give both.
    pub fn new<S: AsRef<str>>(secrets: &[S]) -> Result<Self, VerificationError> {
        if secrets.is_empty() {
            return fail(Reason::InvalidSecret, "no secret is given");
        }
        let keys = secrets
            .iter()
            .map(|secret| read_key(secret.as_ref()))
            .collect::<Result<_, _>>()?;
        Ok(Verifier {
            keys,
            tolerance: Duration::from_secs(300),
        })
    }

    /// How far a timestamp may be in the past or in the future. The default is five minutes.
    pub fn tolerance(mut self, tolerance: Duration) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Returns the webhook if a signature matches one of the secrets. Of a repeated header, the first value counts.
    pub fn verify<'a>(
        &self,
        body: &[u8],
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Webhook, VerificationError> {
        self.verify_at(body, headers, SystemTime::now())
    }

    /// Does the same as [`Verifier::verify`] at another time, for tests.
    pub fn verify_at<'a>(
        &self,
        body: &[u8],
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
        now: SystemTime,
    ) -> Result<Webhook, VerificationError> {
        let headers: Vec<_> = headers.into_iter().collect();
        let find = |name: &str| {
            headers
                .iter()
                .find(|(given, _)| given.eq_ignore_ascii_case(name))
                .map(|(_, value)| *value)
        };
        let require = |name: &str| match find(name) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => fail(Reason::MissingHeader, format!("{name} is missing")),
        };
        let (id, time, signatures) = (
            require("webhook-id")?,
            require("webhook-timestamp")?,
            require("webhook-signature")?,
        );
        let Some(timestamp) = read_number(time, 12) else {
            return fail(
                Reason::InvalidTimestamp,
                "webhook-timestamp is not a number of seconds",
            );
        };
        // In numbers, because the times of some systems end before the largest timestamp.
        let since_epoch = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let age = since_epoch.as_secs_f64() - timestamp as f64;
        if age > self.tolerance.as_secs_f64() {
            return fail(Reason::TooOld, "webhook-timestamp is too old");
        }
        if -age > self.tolerance.as_secs_f64() {
            return fail(Reason::TooNew, "webhook-timestamp is in the future");
        }
        let before = format!("{id}.{time}.");
        let is_signed = signatures.split(' ').take(MOST_SIGNATURES).any(|entry| {
            entry
                .split_once(',')
                .and_then(|(version, text)| Some((version, BASE64.decode(text).ok()?)))
                .is_some_and(|(version, signature)| {
                    self.keys
                        .iter()
                        .any(|key| key.matches(version, before.as_bytes(), body, &signature))
                })
        });
        if !is_signed {
            let message = "no signature matches: the body was changed, or the secret is another";
            return fail(Reason::NoMatchingSignature, message);
        }
        Ok(Webhook {
            id: id.to_owned(),
            timestamp,
            event_type: find("webhook-event-type").map(str::to_owned),
            delivery_id: find("webhook-delivery-id").map(str::to_owned),
            content_type: find("content-type").map(str::to_owned),
            attempt: find("webhook-attempt")
                .and_then(|text| read_number(text, 9))
                .map_or(1, |number| number as u32),
        })
    }
}

impl Key {
    fn matches(&self, version: &str, before: &[u8], body: &[u8], signature: &[u8]) -> bool {
        match self {
            // `verify_slice` compares in constant time.
            Key::Secret(mac) => {
                version == "v1"
                    && mac
                        .clone()
                        .chain_update(before)
                        .chain_update(body)
                        .verify_slice(signature)
                        .is_ok()
            }
            #[cfg(feature = "ed25519")]
            Key::Public(key) => {
                version == "v1a"
                    && ed25519_dalek::Signature::from_slice(signature).is_ok_and(|signature| {
                        key.verify_strict(&[before, body].concat(), &signature)
                            .is_ok()
                    })
            }
        }
    }
}

/// Returns the headers that Posthorn would send with the body, for tests of a receiver. `timestamp` is in unix seconds.
pub fn sign(
    body: &[u8],
    secret: &str,
    id: &str,
    timestamp: u64,
) -> Result<[(&'static str, String); 3], VerificationError> {
    let mac = match read_key(secret)? {
        Key::Secret(mac) => mac,
        #[cfg(feature = "ed25519")]
        Key::Public(_) => return fail(Reason::InvalidSecret, "a public key cannot sign"),
    };
    let digest = mac
        .chain_update(format!("{id}.{timestamp}."))
        .chain_update(body)
        .finalize()
        .into_bytes();
    Ok([
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-signature", format!("v1,{}", BASE64.encode(digest))),
    ])
}

/// Reads a secret or a public key. One from a file or the clipboard often ends with a line break.
fn read_key(given: &str) -> Result<Key, VerificationError> {
    const RULE: &str = "a secret is not whsec_ or whpk_ and base64";
    let secret = given.trim();
    if let Some(text) = secret.strip_prefix("whpk_") {
        let Some(bytes) = BASE64
            .decode(text)
            .ok()
            .and_then(|bytes| <[u8; 32]>::try_from(bytes).ok())
        else {
            return fail(Reason::InvalidSecret, RULE);
        };
        return read_public_key(&bytes);
    }
    match BASE64.decode(secret.strip_prefix("whsec_").unwrap_or(secret)) {
        Ok(key) if !key.is_empty() => Ok(Key::Secret(
            Hmac::new_from_slice(&key).expect("a key of HMAC has any length"),
        )),
        _ => fail(Reason::InvalidSecret, RULE),
    }
}

#[cfg(feature = "ed25519")]
fn read_public_key(bytes: &[u8; 32]) -> Result<Key, VerificationError> {
    match ed25519_dalek::VerifyingKey::from_bytes(bytes) {
        Ok(key) => Ok(Key::Public(Box::new(key))),
        Err(_) => fail(
            Reason::InvalidSecret,
            "a public key is not a point of its curve",
        ),
    }
}

#[cfg(not(feature = "ed25519"))]
fn read_public_key(_: &[u8; 32]) -> Result<Key, VerificationError> {
    fail(
        Reason::InvalidSecret,
        "a public key (whpk_…) needs the feature ed25519",
    )
}

/// Reads a number of digits only: `parse` would also take a sign.
fn read_number(text: &str, most_digits: usize) -> Option<u64> {
    let is_number = !text.is_empty()
        && text.len() <= most_digits
        && text.bytes().all(|one| one.is_ascii_digit());
    if is_number {
        text.parse().ok()
    } else {
        None
    }
}

//! Tests every case of sdks/conformance/signature.json.

use posthorn_webhooks::{sign, Verifier};
use serde_json::{json, Value};
use std::time::{Duration, UNIX_EPOCH};

fn read() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../conformance/signature.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn bytes(payload: &Value) -> Vec<u8> {
    use base64::Engine;
    match payload["base64"].as_str() {
        Some(text) => base64::engine::general_purpose::STANDARD
            .decode(text)
            .unwrap(),
        None => payload["text"]
            .as_str()
            .unwrap()
            .repeat(payload["repeat"].as_u64().unwrap_or(1) as usize)
            .into_bytes(),
    }
}

fn outcome(one: &Value) -> Value {
    let secrets: Vec<&str> = one["secrets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_str().unwrap())
        .collect();
    let headers = one["headers"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(name, value)| match value.as_array() {
            Some(values) => values
                .iter()
                .map(|value| (name.as_str(), value.as_str().unwrap()))
                .collect::<Vec<_>>(),
            None => vec![(name.as_str(), value.as_str().unwrap())],
        });
    let now = UNIX_EPOCH + Duration::from_secs(one["now"].as_u64().unwrap());
    let tolerance = Duration::from_secs(one["toleranceSeconds"].as_u64().unwrap_or(300));
    let verified = Verifier::new(&secrets).and_then(|verifier| {
        verifier
            .tolerance(tolerance)
            .verify_at(&bytes(&one["payload"]), headers, now)
    });
    match verified {
        Ok(webhook) => json!({ "id": webhook.id, "timestamp": webhook.timestamp }),
        Err(error) => {
            let message = error.to_string();
            assert!(
                !secrets
                    .iter()
                    .any(|secret| secret.len() > 8 && message.contains(secret)),
                "{message}"
            );
            json!({ "reason": error.reason.code() })
        }
    }
}

#[test]
fn every_vector_is_verified_as_it_says() {
    let file = read();
    for one in file["cases"].as_array().unwrap() {
        // Without the feature `ed25519`, a public key is refused, and the error names the feature.
        let is_public = one["secrets"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one.as_str().unwrap().starts_with("whpk_"));
        if is_public && !cfg!(feature = "ed25519") {
            assert_eq!(
                outcome(one),
                json!({ "reason": "invalid_secret" }),
                "{}",
                one["name"]
            );
        } else {
            assert_eq!(outcome(one), one["expect"], "{}", one["name"]);
        }
    }
}

#[test]
fn every_vector_is_signed_as_posthorn_signs() {
    let file = read();
    for one in file["signs"].as_array().unwrap() {
        let text = |name: &str| one[name].as_str().unwrap();
        let at = one["timestamp"].as_u64().unwrap();
        let signed = sign(&bytes(&one["payload"]), text("secret"), text("id"), at).unwrap();
        let signed: serde_json::Map<String, Value> = signed
            .into_iter()
            .map(|(name, value)| (name.to_owned(), Value::from(value)))
            .collect();
        assert_eq!(Value::from(signed), one["headers"], "{}", one["name"]);
    }
}

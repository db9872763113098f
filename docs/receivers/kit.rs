use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::{routing::post, Router};
use posthorn_webhooks::{Verifier, Webhook, MOST_BYTES};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

static SEEN: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Stands for INSERT INTO inbox … ON CONFLICT DO NOTHING in your database; a worker reads the table.
fn keep_once(webhook: &Webhook, body: &[u8]) {
    let mut seen = SEEN.lock().unwrap();
    if seen.get_or_insert_with(HashSet::new).insert(webhook.id.clone()) {
        let kind = webhook.content_type.as_deref().unwrap_or("");
        println!("received {} {kind} {} bytes", webhook.id, body.len());
    }
}

async fn receive(State(verifier): State<Arc<Verifier>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    // A header that is not text is none of Posthorn's.
    let texts = headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    match verifier.verify(&body, texts) {
        Ok(webhook) => {
            keep_once(&webhook, &body);
            StatusCode::NO_CONTENT
        }
        Err(_) => StatusCode::BAD_REQUEST,
    }
}

#[tokio::main]
async fn main() {
    let variable = |name: &str| std::env::var(name).expect(name);
    let verifier = Verifier::new(&[variable("WEBHOOK_SECRET")]).expect("WEBHOOK_SECRET");
    let app = Router::new()
        .route("/webhooks", post(receive))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(Arc::new(verifier));
    let address = format!("127.0.0.1:{}", variable("PORT"));
    let listener = tokio::net::TcpListener::bind(address).await.expect("a free port");
    axum::serve(listener, app).await.expect("a server");
}

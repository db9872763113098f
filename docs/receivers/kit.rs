use posthorn_webhooks::{Verifier, Webhook, MOST_BYTES};
use std::collections::HashSet;
use std::io::Read;
use std::sync::Mutex;
use tiny_http::{Method, Response, Server};

static SEEN: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Stands for INSERT INTO inbox … ON CONFLICT DO NOTHING in your database; a worker reads the table.
fn keep_once(webhook: &Webhook, body: &[u8]) {
    let mut seen = SEEN.lock().unwrap();
    if seen.get_or_insert_with(HashSet::new).insert(webhook.id.clone()) {
        let kind = webhook.content_type.as_deref().unwrap_or("");
        println!("received {} {kind} {} bytes", webhook.id, body.len());
    }
}

fn main() {
    let variable = |name: &str| std::env::var(name).expect(name);
    let verifier = Verifier::new(&[variable("WEBHOOK_SECRET")]).expect("WEBHOOK_SECRET");
    let server = Server::http(format!("127.0.0.1:{}", variable("PORT"))).expect("a free port");
    for mut request in server.incoming_requests() {
        let mut body = Vec::new();
        let limit = MOST_BYTES as u64 + 1;
        let is_read = request.as_reader().take(limit).read_to_end(&mut body).is_ok();
        let headers = request.headers().iter().map(|one| (one.field.as_str().as_str(), one.value.as_str()));
        let status = match verifier.verify(&body, headers) {
            _ if *request.method() != Method::Post => 405,
            _ if body.len() > MOST_BYTES => 413,
            Ok(webhook) if is_read => {
                keep_once(&webhook, &body);
                204
            }
            _ => 400,
        };
        let _ = request.respond(Response::empty(status));
    }
}

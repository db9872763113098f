use openapi::apis::configuration::Configuration;
use openapi::apis::event_types_api::{create_event_type, get_event_type, list_event_types};
use openapi::apis::ingestion_api::{ingest_direct_event, ingest_event};
use openapi::apis::Error;
use openapi::models::{CreateEventTypeBody, ErrorBody};
use std::env::var;

#[tokio::main]
async fn main() {
    let (workspace, name) = (var("WORKSPACE_ID").unwrap(), var("NAME").unwrap());
    let configuration = Configuration {
        base_path: var("BASE_URL").unwrap(),
        bearer_access_token: Some(var("TOKEN").unwrap()),
        ..Configuration::default()
    };
    let body = CreateEventTypeBody::new(name.clone());
    let created = create_event_type(&configuration, &workspace, body, None).await.unwrap();
    println!("created {}", created.name);
    let listed = list_event_types(&configuration, &workspace, Some(100), None).await.unwrap();
    println!("listed {}", listed.iter().any(|one| one.name == name));
    let Err(Error::ResponseError(refused)) = get_event_type(&configuration, &workspace, "evt_none").await else {
        panic!("a missing event type was answered");
    };
    // Its enumeration of errors by status has the same type in each variant.
    let body: ErrorBody = serde_json::from_str(&refused.content).unwrap();
    let code = serde_json::to_value(body.error.code).unwrap();
    println!("refused {} {}", code.as_str().unwrap(), body.error.message);
    let sender = Configuration { bearer_access_token: Some(var("API_KEY").unwrap()), ..configuration };
    let order = Some(serde_json::json!({"order": 1}));
    let sent = ingest_event(&sender, &name, Some(&name), None, None, None, order.clone()).await.unwrap();
    println!("sent {}", sent.event_type.unwrap());
    let endpoint = var("ENDPOINT_ID").unwrap();
    let direct = ingest_direct_event(&sender, &endpoint, None, None, None, None, order).await.unwrap();
    println!("sent directly {}", &direct.delivery_id[..4]);
}

import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EventTypesApi;
import org.openapitools.client.api.IngestionApi;
import org.openapitools.client.model.CreateEventTypeBody;
import org.openapitools.client.model.ErrorBody;

public class Main {
  public static void main(String[] arguments) throws Exception {
    String workspace = System.getenv("WORKSPACE_ID");
    String name = System.getenv("NAME");
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("TOKEN")));
    EventTypesApi types = new EventTypesApi(client);
    System.out.println("created " + types.createEventType(workspace, new CreateEventTypeBody().name(name), null).getName());
    boolean found = types.listEventTypes(workspace, 100, null).stream().anyMatch(one -> one.getName().equals(name));
    System.out.println("listed " + found);
    try {
      types.getEventType(workspace, "evt_none");
    } catch (ApiException refused) {
      ErrorBody body = ApiClient.createDefaultObjectMapper().readValue(refused.getResponseBody(), ErrorBody.class);
      System.out.println("refused " + body.getError().getCode().getValue() + " " + body.getError().getMessage());
    }
    ApiClient sender = new ApiClient();
    sender.updateBaseUri(System.getenv("BASE_URL"));
    sender.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    IngestionApi ingestion = new IngestionApi(sender);
    Map<String, Integer> order = Map.of("order", 1);
    System.out.println("sent " + ingestion.ingestEvent(name, name, null, null, null, order).getEventType());
    String deliveryId = ingestion.ingestDirectEvent(System.getenv("ENDPOINT_ID"), null, null, null, null, order).getDeliveryId();
    System.out.println("sent directly " + deliveryId.substring(0, 4));
  }
}

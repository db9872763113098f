import io.posthorn.webhooks.Verifier;
import io.posthorn.webhooks.Webhooks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** How fast a webhook of 1 KiB is verified, beside a bare HMAC. Prints `[[verified, hashed], …]` a second, in pairs. */
public class VerifySpeed {
  interface Run {
    void run() throws Exception;
  }

  static double perSecond(double seconds, Run run) throws Exception {
    long began = System.nanoTime();
    long count = 0;
    while (System.nanoTime() - began < seconds * 1e9) {
      for (int n = 0; n < 100; n += 1) run.run();
      count += 100;
    }
    return count / ((System.nanoTime() - began) / 1e9);
  }

  public static void main(String[] args) throws Exception {
    double part = Double.parseDouble(args[0]) / 16;
    byte[] body = new byte[1024];
    Arrays.fill(body, (byte) 'x');
    String secret = "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=";
    Map<String, String> headers = Webhooks.sign(secret, body);
    Verifier verifier = new Verifier(secret);
    SecretKeySpec key = new SecretKeySpec(new byte[32], "HmacSHA256");
    Run verify = () -> verifier.verify(headers::get, body);
    Run hash = () -> {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      mac.doFinal(body);
    };
    perSecond(2 * part, verify);
    perSecond(2 * part, hash);
    List<List<Double>> pairs = new ArrayList<>();
    for (int n = 0; n < 7; n += 1) pairs.add(List.of(perSecond(part, verify), perSecond(part, hash)));
    System.out.println(pairs);
  }
}

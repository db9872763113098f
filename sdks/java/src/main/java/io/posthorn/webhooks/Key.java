package io.posthorn.webhooks;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Verifies signatures with a secret or a public key. Many threads may use it at the same time. */
abstract class Key {
  /** The version of the signatures that this key verifies. */
  abstract String version();

  abstract boolean matches(byte[] before, byte[] body, byte[] signature);

  /** Reads a secret or a public key. Throws a WebhookVerificationException that does not contain it. */
  static Key read(String given) {
    // A secret that was read from a file or pasted often has a line break at its end.
    String secret = given.strip();
    boolean isPublic = secret.startsWith("whpk_");
    String text = isPublic ? secret.substring(5) : secret.startsWith("whsec_") ? secret.substring(6) : secret;
    byte[] key = fromBase64(text);
    if (key == null || key.length == 0 || (isPublic && key.length != 32)) {
      throw new WebhookVerificationException(Reason.INVALID_SECRET, "a secret is not whsec_ or whpk_ and base64");
    }
    return isPublic ? new Public(key) : new Secret(key);
  }

  /** Decodes base64 with or without its padding. Returns null for a text that is not base64. */
  static byte @Nullable [] fromBase64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException error) {
      return null;
    }
  }

  /** HMAC with SHA-256. */
  static final class Secret extends Key {
    private final Mac prototype;

    Secret(byte[] key) {
      try {
        prototype = Mac.getInstance("HmacSHA256");
        prototype.init(new SecretKeySpec(key, "HmacSHA256"));
      } catch (GeneralSecurityException error) {
        throw new IllegalStateException("every Java has HmacSHA256", error);
      }
    }

    @Override
    String version() {
      return "v1";
    }

    byte[] sign(byte[] before, byte[] body) {
      Mac mac = copy();
      mac.update(before);
      return mac.doFinal(body);
    }

    /** Copies the prototype, which saves reading the key again. */
    private Mac copy() {
      try {
        return (Mac) prototype.clone();
      } catch (CloneNotSupportedException error) {
        throw new IllegalStateException("the security provider has a Mac that cannot be copied", error);
      }
    }

    /** Compares in constant time. */
    @Override
    boolean matches(byte[] before, byte[] body, byte[] signature) {
      return MessageDigest.isEqual(sign(before, body), signature);
    }
  }

  /** Ed25519. */
  static final class Public extends Key {
    /** The bytes before the 32 bytes of a key in an X.509 SubjectPublicKeyInfo (RFC 8410). */
    private static final byte[] PREFIX = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

    private final PublicKey key;

    Public(byte[] bytes) {
      ByteArrayOutputStream encoded = new ByteArrayOutputStream();
      encoded.writeBytes(PREFIX);
      encoded.writeBytes(bytes);
      try {
        key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded.toByteArray()));
      } catch (NoSuchAlgorithmException error) {
        throw new WebhookVerificationException(Reason.INVALID_SECRET, "a public key (whpk_…) needs Java 15 or newer");
      } catch (GeneralSecurityException error) {
        throw new WebhookVerificationException(Reason.INVALID_SECRET, "a public key is not a point of its curve");
      }
    }

    @Override
    String version() {
      return "v1a";
    }

    @Override
    boolean matches(byte[] before, byte[] body, byte[] signature) {
      try {
        Signature verifying = Signature.getInstance("Ed25519");
        verifying.initVerify(key);
        verifying.update(before);
        verifying.update(body);
        return verifying.verify(signature);
      } catch (GeneralSecurityException error) {
        return false;
      }
    }
  }
}

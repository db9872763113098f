# frozen_string_literal: true

require 'openssl'

# Verifies the webhooks of Posthorn, with only Ruby's standard library. Copy this file into your program.
module PosthornWebhooks
  # How many signatures of a header are read: anybody can send a request with very many.
  MOST_SIGNATURES = 100
  # The largest body that a Receiver reads: an event of 1 MiB in an envelope, with base64.
  MOST_BYTES = 3 << 19
  # The bytes before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410).
  ED25519_PREFIX = ['302a300506032b6570032100'].pack('H*').freeze
  private_constant :MOST_SIGNATURES, :ED25519_PREFIX

  # A genuine webhook. `id` is the event's id, the same in every attempt. If you have seen an id before, the webhook is
  # a repetition. `payload` has the signed bytes, and `timestamp` is the Time of this attempt. The signature does not
  # cover `type` (nil for an event that was sent to this endpoint alone), `delivery_id`, `content_type` and `attempt`
  # (from 1).
  Webhook = Struct.new(:id, :timestamp, :payload, :type, :delivery_id, :content_type, :attempt, keyword_init: true)

  # The webhook is not genuine. `reason` is :missing_header, :invalid_timestamp, :too_old, :too_new or
  # :no_matching_signature. With :invalid_secret, the secret of the receiver cannot be used. No message shows a secret.
  class VerificationError < StandardError
    attr_reader :reason

    def initialize(reason, message)
      super(message)
      @reason = reason
    end
  end

  # Returns the Webhook if a signature matches one of the secrets (`whsec_…`) or public keys (`whpk_…`), and the
  # timestamp is within the tolerance. Otherwise raises a VerificationError. `body` is the body as it arrived. `headers`
  # is the env of Rack or a Hash (names are case-insensitive; of a list, the first value counts). `now` is in unix
  # seconds, for tests.
  def self.verify(body, headers, secrets, tolerance_seconds: 300, now: Time.now.to_f)
    read = read_headers(headers)
    id, time, signatures = %w[id timestamp signature].map { |name| required(read, "webhook-#{name}") }
    raise VerificationError.new(:invalid_timestamp, 'webhook-timestamp is not a number of seconds') unless time.match?(/\A[0-9]{1,12}\z/)

    age = now - time.to_i
    raise VerificationError.new(:too_old, 'webhook-timestamp is too old') unless age <= tolerance_seconds
    raise VerificationError.new(:too_new, 'webhook-timestamp is in the future') unless -age <= tolerance_seconds

    payload = body.b
    keys = Array(secrets).map { |secret| read_key(secret) }
    raise VerificationError.new(:invalid_secret, 'no secret is given') if keys.empty?

    unless signed?(keys, "#{id}.#{time}.".b + payload, signatures)
      raise VerificationError.new(:no_matching_signature, 'no signature matches: the body was changed, or the secret is another')
    end

    attempt = read['webhook-attempt'].to_s
    Webhook.new(id: id, timestamp: Time.at(time.to_i), payload: payload, type: read['webhook-event-type'],
                delivery_id: read['webhook-delivery-id'], content_type: read['content-type'],
                attempt: attempt.match?(/\A[0-9]{1,9}\z/) ? attempt.to_i : 1)
  end

  # Returns the headers that Posthorn would send with the body, for the tests of a receiver.
  def self.sign(body, secret, id: "msg_#{OpenSSL::Digest.hexdigest('SHA256', rand.to_s)[0, 32]}", timestamp: Time.now.to_i)
    version, key = read_key(secret)
    raise VerificationError.new(:invalid_secret, 'a public key cannot sign') unless version == 'v1'

    digest = OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{timestamp}.".b + body.b)
    { 'webhook-id' => id, 'webhook-timestamp' => timestamp.to_s, 'webhook-signature' => "v1,#{[digest].pack('m0')}" }
  end

  # A Rack application for the route of your webhooks. The block gets each genuine Webhook. When it returns, the
  # response is 204. When it raises, your server responds as to any failure, and Posthorn sends the webhook again.
  class Receiver
    def initialize(secrets, tolerance_seconds: 300, &handler)
      # Check the secrets now: an invalid secret raises at the start, and not at the first webhook.
      Array(secrets).each { |secret| PosthornWebhooks.send(:read_key, secret) }
      raise VerificationError.new(:invalid_secret, 'no secret is given') if Array(secrets).empty?

      @secrets = secrets
      @tolerance_seconds = tolerance_seconds
      @handler = handler
    end

    def call(env)
      return answer(405, 'a webhook is a POST') unless env['REQUEST_METHOD'] == 'POST'

      body = env['rack.input']&.read(MOST_BYTES + 1) || ''
      return answer(413, "The body is larger than #{MOST_BYTES} bytes") if body.bytesize > MOST_BYTES

      @handler.call(PosthornWebhooks.verify(body, env, @secrets, tolerance_seconds: @tolerance_seconds))
      [204, {}, []]
    rescue VerificationError => e
      answer(400, e.message)
    end

    private

    def answer(status, text)
      [status, { 'content-type' => 'text/plain' }, [text]]
    end
  end

  class << self
    private

    # In the env of Rack, webhook-id is HTTP_WEBHOOK_ID, and content-type is CONTENT_TYPE without a prefix.
    def read_headers(headers)
      headers.each_with_object({}) do |(name, value), read|
        next unless name.is_a?(String)

        # Expressions refuse bytes that are not of the string's encoding, and anybody can send some.
        name = name.scrub
        plain = name.match?(/\A(HTTP_WEBHOOK_|CONTENT_TYPE\z)/) ? name.delete_prefix('HTTP_').tr('_', '-') : name
        first = Array(value).first
        read[plain.downcase] ||= first.to_s.scrub unless first.nil?
      end
    end

    def required(headers, name)
      value = headers[name].to_s
      raise VerificationError.new(:missing_header, "#{name} is missing") if value.empty?

      value
    end

    # A secret from a file or the clipboard often ends with a line break.
    def read_key(given)
      secret = given.to_s.strip
      is_public = secret.start_with?('whpk_')
      key = from_base64(secret.delete_prefix(is_public ? 'whpk_' : 'whsec_'))
      if key.nil? || key.empty? || (is_public && key.bytesize != 32)
        raise VerificationError.new(:invalid_secret, 'a secret is not whsec_ or whpk_ and base64')
      end
      is_public ? ['v1a', OpenSSL::PKey.read(ED25519_PREFIX + key)] : ['v1', key]
    end

    # Decodes base64 with or without its padding. Returns nil for anything else.
    def from_base64(text)
      return nil unless text.match?(%r{\A[A-Za-z0-9+/]*={0,2}\z})

      (text + '=' * (-text.length % 4)).unpack1('m0')
    rescue ArgumentError
      nil
    end

    def signed?(keys, content, signatures)
      signatures.split(/ /, -1).first(MOST_SIGNATURES).any? do |entry|
        version, comma, text = entry.partition(',')
        signature = comma.empty? ? nil : from_base64(text)
        signature && keys.any? { |kind, key| kind == version && matches?(kind, key, content, signature) }
      end
    end

    def matches?(kind, key, content, signature)
      return key.verify(nil, signature, content) if kind == 'v1a'

      digest = OpenSSL::HMAC.digest('SHA256', key, content)
      digest.bytesize == signature.bytesize && OpenSSL.fixed_length_secure_compare(digest, signature)
    rescue OpenSSL::PKey::PKeyError
      false
    end
  end
end

# frozen_string_literal: true

# Tests every case of sdks/conformance/signature.json: `ruby test/vectors.rb`.
require 'json'
require 'stringio'
require_relative '../lib/posthorn_webhooks'

def bytes(payload)
  payload.key?('base64') ? payload['base64'].unpack1('m0') : payload['text'] * payload.fetch('repeat', 1)
end

def outcome(one)
  tolerance = one.fetch('toleranceSeconds', 300)
  payload = bytes(one['payload'])
  webhook = PosthornWebhooks.verify(payload, one['headers'], one['secrets'], tolerance_seconds: tolerance, now: one['now'])
  return { 'id' => webhook.id, 'timestamp' => webhook.timestamp.to_i } if webhook.payload == payload.b

  'another payload'
rescue PosthornWebhooks::VerificationError => e
  one['secrets'].any? { |secret| secret.length > 8 && e.message.include?(secret) } ? 'a secret in a message' : { 'reason' => e.reason.to_s }
end

file = JSON.parse(File.read(File.join(__dir__, '../../../conformance/signature.json')))
results = file['cases'].map { |one| [one['name'], outcome(one), one['expect']] }
results += file['signs'].map do |one|
  signed = PosthornWebhooks.sign(bytes(one['payload']), one['secret'], id: one['id'], timestamp: one['timestamp'])
  [one['name'], signed, one['headers']]
end

# Tests the application for Rack.
secret = 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE='
got = []
receiver = PosthornWebhooks::Receiver.new(secret) { |webhook| got << [webhook.payload, webhook.type, webhook.attempt, webhook.content_type] }
signed = PosthornWebhooks.sign('{}', secret).to_h { |name, value| ["HTTP_#{name.upcase.tr('-', '_')}", value] }
env = { 'REQUEST_METHOD' => 'POST', 'HTTP_WEBHOOK_EVENT_TYPE' => 'order.paid', 'HTTP_WEBHOOK_ATTEMPT' => '2', 'CONTENT_TYPE' => 'application/json' }
call = ->(more) { receiver.call(env.merge('rack.input' => StringIO.new('{}')).merge(more))[0] }
results << ['Rack: a genuine webhook', call.call(signed), 204] << ['Rack: a forged one', call.call({}), 400]
results << ['Rack: what the block got', got.dup, [['{}', 'order.paid', 2, 'application/json']]]
%w[ID TIMESTAMP SIGNATURE].each do |name|
  not_text = signed.merge("HTTP_WEBHOOK_#{name}" => "1\xff")
  results << ["Rack: bytes that are not text in the #{name}", call.call(not_text), 400]
end
not_text = signed.merge('HTTP_WEBHOOK_ATTEMPT' => "2\xff", "HTTP_\xff" => '1')
results << ['Rack: bytes that are not text where nothing is signed', [call.call(not_text), got.last[2]], [204, 1]]
results << ['Rack: another method', call.call(signed.merge('REQUEST_METHOD' => 'GET')), 405]
large = StringIO.new('x' * (PosthornWebhooks::MOST_BYTES + 1))
results << ['Rack: a large body', call.call(signed.merge('rack.input' => large)), 413]

failed = results.reject { |_, is, should| is == should }
failed.each { |name, is, should| warn "#{name}: #{is.inspect}, not #{should.inspect}" }
puts "#{results.length - failed.length} passed, #{failed.length} failed"
exit failed.empty?

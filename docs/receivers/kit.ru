require 'json'
require 'set'
require_relative 'posthorn_webhooks'

SEEN = Set.new
LOCK = Mutex.new

# In production: INSERT INTO inbox ... ON CONFLICT DO NOTHING, and a worker reads the table.
keep_once = lambda do |webhook|
  next if LOCK.synchronize { SEEN.include?(webhook.id) }

  # Other types that contain the word, such as x-ndjson, are not JSON. JSON.parse refuses a byte order mark.
  type = webhook.content_type.to_s.downcase.split(';').first.to_s.strip
  is_json = (type == 'application/json' || type.end_with?('+json')) && !webhook.payload.empty?
  JSON.parse(webhook.payload.dup.force_encoding('UTF-8').delete_prefix("\uFEFF")) if is_json
  $stdout.puts "received #{webhook.id} #{webhook.content_type} #{webhook.payload.bytesize} #{is_json ? 'json' : 'bytes'}"
  $stdout.flush
  # Only now: if the work fails, Posthorn sends the webhook again.
  LOCK.synchronize { SEEN.add(webhook.id) }
end

run PosthornWebhooks::Receiver.new(ENV.fetch('WEBHOOK_SECRET'), &keep_once)

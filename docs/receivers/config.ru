require 'json'
require 'openssl'
require 'set'

KEY = ENV.fetch('WEBHOOK_SECRET').delete_prefix('whsec_').unpack1('m')
raise 'WEBHOOK_SECRET is empty: anybody could sign' if KEY.empty?

SEEN = Set.new
LOCK = Mutex.new

# Whether a valid secret has signed these bytes, at most five minutes ago. Never raises.
def genuine?(env, body)
  id = env['HTTP_WEBHOOK_ID'].to_s
  timestamp = env['HTTP_WEBHOOK_TIMESTAMP'].to_s
  return false unless timestamp.match?(/\A[0-9]{1,12}\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  signed = "#{id}.#{timestamp}.".b + body
  expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', KEY, signed)].pack('m0')}"
  env['HTTP_WEBHOOK_SIGNATURE'].to_s.split.any? do |given|
    given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
  end
end

# In production: INSERT INTO inbox ... ON CONFLICT DO NOTHING, and a worker reads the table.
def keep_once(id, content_type, body)
  return if LOCK.synchronize { SEEN.include?(id) }

  # Other types that contain the word, such as x-ndjson, are not JSON. JSON.parse refuses a byte order mark.
  type = content_type.downcase.split(';').first.to_s.strip
  is_json = (type == 'application/json' || type.end_with?('+json')) && !body.empty?
  data = is_json ? JSON.parse(body.dup.force_encoding('UTF-8').delete_prefix("\uFEFF")) : body
  $stdout.puts "received #{id} #{content_type} #{body.bytesize} #{data.equal?(body) ? 'bytes' : 'json'}"
  $stdout.flush
  # Only now: if the work fails, Posthorn sends the webhook again.
  LOCK.synchronize { SEEN.add(id) }
end

run lambda { |env|
  body = (env['rack.input']&.read || '').b
  next [400, {}, []] unless genuine?(env, body)

  keep_once(env['HTTP_WEBHOOK_ID'], env['CONTENT_TYPE'].to_s, body)
  [204, {}, []]
}

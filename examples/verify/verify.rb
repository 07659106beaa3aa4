require "openssl"

TOLERANCE_SECONDS = 300

# Whether a webhook is genuine and recent.
#
# raw_body: the bytes as they arrived, before any JSON parsing, e.g. request.raw_post in Rails.
# headers: your framework's headers, e.g. request.headers.
# secrets: yours exactly as shown, whsec_ included; while you rotate it, the new and the old one.
def genuine?(raw_body, headers, *secrets)
  timestamp = headers["X-Webhook-Timestamp"].to_s
  signature = headers["X-Signature"].to_s
  return false unless timestamp.match?(/\A[0-9]{1,12}\z/)
  return false if (Time.now.to_f - timestamp.to_i).abs > TOLERANCE_SECONDS

  signed = "#{timestamp}.".b + raw_body.b
  secrets.any? do |secret|
    OpenSSL.secure_compare("sha256=" + OpenSSL::HMAC.hexdigest("SHA256", secret, signed), signature)
  end
end

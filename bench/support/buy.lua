-- Each request buys once, with the next partner's key and an idempotency key of its own.
local keys, product, count, seed = {}, nil, 0, nil

function init(args)
  product, seed = args[1], args[2]
  for line in io.lines(args[3]) do keys[#keys + 1] = line end
end

function request()
  count = count + 1
  local headers = { ['X-API-Key'] = keys[count % #keys + 1], ['Content-Type'] = 'application/x-www-form-urlencoded' }
  return wrk.format('POST', nil, headers, 'product_id=' .. product .. '&idempotency_key=' .. seed .. '-' .. count)
end

-- Each request buys once, with the next partner's key and an idempotency key of its own: one eSIM, or a batch of so many.
local keys, product, count, seed, size = {}, nil, 0, nil, nil

function init(args)
  product, seed = args[1], args[2]
  size = args[4]
  for line in io.lines(args[3]) do keys[#keys + 1] = line end
end

function request()
  count = count + 1
  local headers = { ['X-API-Key'] = keys[count % #keys + 1], ['Content-Type'] = 'application/x-www-form-urlencoded' }
  local what = 'product_id=' .. product
  if size then what = 'items=[{"product_id":"' .. product .. '","quantity":' .. size .. '}]' end
  return wrk.format('POST', nil, headers, what .. '&idempotency_key=' .. seed .. '-' .. count)
end

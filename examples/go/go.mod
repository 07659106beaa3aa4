module example.com/shop

go 1.19

require example.com/webhook v0.0.0

replace example.com/webhook => ../verify

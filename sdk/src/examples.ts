// Made by `npm run sdk` from the description of the API. Do not edit.
/** What every endpoint answers, by its path. */
export const answers: Readonly<Record<string, object>> = {
 "catalog/countries": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "count": 4,
  "countries": [
   {
    "country_code": "FR",
    "title": "France",
    "slug": "france",
    "image": "https://esim.example.com/flags/fr.svg",
    "region": "europe"
   },
   {
    "country_code": "JP",
    "title": "Japan",
    "slug": "japan",
    "image": "https://esim.example.com/flags/jp.svg",
    "region": "asia"
   },
   {
    "country_code": "NU",
    "title": "Niue",
    "slug": "niue",
    "image": "https://esim.example.com/flags/nu.svg",
    "region": ""
   },
   {
    "country_code": "TR",
    "title": "Türkiye",
    "slug": "turkiye",
    "image": "https://esim.example.com/flags/tr.svg",
    "region": "europe"
   }
  ]
 },
 "catalog/products": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "country_code": "JP",
  "country": {
   "country_code": "JP",
   "title": "Japan",
   "slug": "japan",
   "image": "https://esim.example.com/flags/jp.svg",
   "region": ""
  },
  "include_small": false,
  "all_variants": false,
  "total": 2,
  "matched": 1,
  "count": 1,
  "truncated": false,
  "limit": 500,
  "offset": 0,
  "sort": "price",
  "order": "asc",
  "filters": {
   "max_day": 7
  },
  "products": [
   {
    "id": "esc_a824389a0b4a3db0",
    "title": "Japan 1 GB, 7 days",
    "country_code": "JP",
    "country_title": "Japan",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "region": "country",
    "continent": "Asia",
    "data": "1 GB",
    "amount": 1024,
    "day": 7,
    "is_unlimited": "",
    "price": 4.5,
    "sale_price": 4.5,
    "price_per_gb": 4.5,
    "operator_title": "Kaigan Mobile",
    "network_type": "5G",
    "coverage_codes": [
     "JP"
    ],
    "coverage_names_en": [
     "Japan"
    ],
    "fup_kind": "none",
    "fup_daily_mb": 0,
    "fup_speed_kbps": 0,
    "fair_use_text": "",
    "is_usage_metered": 0,
    "partner_price": 4.5,
    "partner_discount": "0.00",
    "partner_margin_share_pct": "0.00",
    "source": "none",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "refillable": true,
    "kyc_required": false,
    "apn": {
     "type": "automatic",
     "value": null
    },
    "voice_minutes": 0,
    "sms": 0,
    "install_window_days": null
   }
  ]
 },
 "catalog/product": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "product": {
   "id": "esc_a824389a0b4a3db0",
   "title": "Japan 1 GB, 7 days",
   "country_code": "JP",
   "country_title": "Japan",
   "country_image": "https://esim.example.com/flags/jp.svg",
   "region": "country",
   "continent": "Asia",
   "data": "1 GB",
   "amount": 1024,
   "day": 7,
   "is_unlimited": "",
   "price": 4.5,
   "sale_price": 4.5,
   "price_per_gb": 4.5,
   "operator_title": "Kaigan Mobile",
   "network_type": "5G",
   "coverage_codes": [
    "JP"
   ],
   "coverage_names_en": [
    "Japan"
   ],
   "fup_kind": "none",
   "fup_daily_mb": 0,
   "fup_speed_kbps": 0,
   "fair_use_text": "",
   "is_usage_metered": 0,
   "partner_price": 4.5,
   "partner_discount": "0.00",
   "partner_margin_share_pct": "0.00",
   "source": "none",
   "networks": [
    "Kaigan",
    "Docomo"
   ],
   "activation_policy": "first-usage",
   "refillable": true,
   "kyc_required": false,
   "apn": {
    "type": "automatic",
    "value": null
   },
   "voice_minutes": 0,
   "sms": 0,
   "install_window_days": null
  }
 },
 "catalog/export": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "version": "2-a5c24fee-16a7c1a3-af1f28558cf276a6",
  "count": 3,
  "products": [
   {
    "id": "esc_a824389a0b4a3db0",
    "title": "Japan 1 GB, 7 days",
    "country_code": "JP",
    "country_title": "Japan",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "region": "country",
    "continent": "Asia",
    "data": "1 GB",
    "amount": 1024,
    "day": 7,
    "is_unlimited": "",
    "price": 4.5,
    "sale_price": 4.5,
    "price_per_gb": 4.5,
    "operator_title": "Kaigan Mobile",
    "network_type": "5G",
    "coverage_codes": [
     "JP"
    ],
    "coverage_names_en": [
     "Japan"
    ],
    "fup_kind": "none",
    "fup_daily_mb": 0,
    "fup_speed_kbps": 0,
    "fair_use_text": "",
    "is_usage_metered": 0,
    "partner_price": 4.5,
    "partner_discount": "0.00",
    "partner_margin_share_pct": "0.00",
    "source": "none",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "refillable": true,
    "kyc_required": false,
    "apn": {
     "type": "automatic",
     "value": null
    },
    "voice_minutes": 0,
    "sms": 0,
    "install_window_days": null
   },
   {
    "id": "esc_1daaf23ff1d7c066",
    "title": "Japan 10 GB, 30 days",
    "country_code": "JP",
    "country_title": "Japan",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "region": "country",
    "continent": "Asia",
    "data": "10 GB",
    "amount": 10240,
    "day": 30,
    "is_unlimited": "",
    "price": 19,
    "sale_price": 19,
    "price_per_gb": 1.9,
    "operator_title": "Kaigan Mobile",
    "network_type": "5G",
    "coverage_codes": [
     "JP"
    ],
    "coverage_names_en": [
     "Japan"
    ],
    "fup_kind": "none",
    "fup_daily_mb": 0,
    "fup_speed_kbps": 0,
    "fair_use_text": "",
    "is_usage_metered": 0,
    "partner_price": 19,
    "partner_discount": "0.00",
    "partner_margin_share_pct": "0.00",
    "source": "none",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "refillable": true,
    "kyc_required": false,
    "apn": {
     "type": "automatic",
     "value": null
    },
    "voice_minutes": 0,
    "sms": 0,
    "install_window_days": null
   },
   {
    "id": "esc_f257a5475f1c2f58",
    "title": "Europe 5 GB, 15 days",
    "country_code": "europe",
    "country_title": "Europe",
    "country_image": "https://esim.example.com/flags/europe.svg",
    "region": "regional",
    "continent": "Europe",
    "data": "5 GB",
    "amount": 5120,
    "day": 15,
    "is_unlimited": "",
    "price": 12,
    "sale_price": 12,
    "price_per_gb": 2.4,
    "operator_title": "",
    "network_type": "4G",
    "coverage_codes": [
     "FR",
     "TR"
    ],
    "coverage_names_en": [
     "France",
     "Türkiye"
    ],
    "fup_kind": "none",
    "fup_daily_mb": 0,
    "fup_speed_kbps": 0,
    "fair_use_text": "",
    "is_usage_metered": 0,
    "partner_price": 12,
    "partner_discount": "0.00",
    "partner_margin_share_pct": "0.00",
    "source": "none",
    "networks": [],
    "activation_policy": "first-usage",
    "refillable": false,
    "kyc_required": false,
    "apn": {
     "type": "automatic",
     "value": null
    },
    "voice_minutes": 0,
    "sms": 0,
    "install_window_days": null
   }
  ]
 },
 "catalog/changes": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "version": "2-a5c24fee-16a7c1a3-af1f28558cf276a6",
  "complete": true,
  "changed": [],
  "removed": []
 },
 "catalog/devices": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "devices": [
   {
    "brand": "Google",
    "model": "Pixel 8",
    "os": "Android"
   },
   {
    "brand": "Google",
    "model": "Pixel 8 Pro",
    "os": "Android"
   },
   {
    "brand": "Google",
    "model": "Pixel 8a",
    "os": "Android"
   }
  ],
  "count": 3,
  "updated": "2025-11-01"
 },
 "purchase/quote": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "product_id": "esc_a824389a0b4a3db0",
  "product_title": "Japan 1 GB, 7 days",
  "list_price": 4.5,
  "partner_price": 4.5,
  "discount": 0,
  "source": "none",
  "billing_mode": "prepaid",
  "available": 1000,
  "can_buy": true,
  "blocked_by": ""
 },
 "account/balance": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "balance": 1000
 },
 "account/pricing": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "pricing": {
   "margin_share_pct": 0,
   "margin_share_source": "default",
   "tier": {
    "window_days": 90,
    "topup_usd": 0,
    "current_pct": 0,
    "next_min_usd": 1000,
    "next_pct": 10
   },
   "total_share_cap_pct": 60,
   "active_rule_count": 0,
   "average_discount_pct": 0,
   "is_average": true,
   "sample_size": 3,
   "sample_scope": "catalog",
   "currency": "USD"
  }
 },
 "account/sandboxBalance": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "balance": 100,
  "previous_balance": 1000
 },
 "account/topup": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "id": "sbx_topup_6c748a1f9b4016a2ee4d27ef186c7ace",
  "client_secret": "sbx_secret_8a7c3c3672c8b2632469352dd5f0b518",
  "payment_key": "sbx_topup_6c748a1f9b4016a2ee4d27ef186c7ace",
  "status": "requires_confirmation",
  "amount": 50,
  "currency": "USD",
  "provider": "sandbox",
  "publishable_key": null
 },
 "account/topupConfirm": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "status": "succeeded",
  "balance": 150
 },
 "purchase/buy": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "id": "1001",
  "order_id": 1001,
  "billing_mode": "prepaid",
  "balance": 145.5,
  "delivery": "delivered",
  "delivery_reason": "",
  "provision": "completed",
  "order": {
   "id": "1001",
   "product_id": "esc_a824389a0b4a3db0",
   "product_title": "Japan 1 GB, 7 days",
   "product_price": "4.50",
   "sale_price": "4.50",
   "coupon_code": "",
   "product_type": "esim",
   "date": "2026-03-01 12:00:01",
   "status": "1",
   "api_sale_id": "wf-sandbox-1001",
   "api_sale_code": "wf-sandbox-1001",
   "reference": "booking-4711"
  }
 },
 "purchase/batch": {
  "result": "ok",
  "code": "202",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "batch_id": 1004,
  "orders": [
   {
    "id": "1004",
    "product_id": "esc_a824389a0b4a3db0",
    "product_title": "Japan 1 GB, 7 days",
    "title_display": "Japan 1 GB, 7 days",
    "product_price": "4.50",
    "sale_price": "4.50",
    "coupon_code": "",
    "date": "2026-03-01 12:00:01",
    "status": "1",
    "api_sale_id": "wf-sandbox-1004",
    "api_sale_code": "wf-sandbox-1004",
    "reference": "group-4714",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "data": "1 GB",
    "day": "7",
    "fair_use_text": "",
    "country_code": "JP",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "country_name": "Japan",
    "product_type": "esim",
    "refunded": "0.00",
    "is_unlimited": "",
    "esim": {
     "qrcode_url": "https://esim.example.com/qr/sandbox-1004-01b03e1997cda327574ac9565c46f1c5e6a1000f696ac2ea1f418db3108ba7ac.svg",
     "iccid": "8900000000000010044",
     "lpa": "sandbox.invalid",
     "smdpAddress": "sandbox.invalid",
     "activationCode": "LPA:1$sandbox.invalid$SANDBOX-1004",
     "matching_id": "SANDBOX-1004",
     "direct_apple_installation_url": "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1004"
    }
   },
   {
    "id": "1005",
    "product_id": "esc_a824389a0b4a3db0",
    "product_title": "Japan 1 GB, 7 days",
    "title_display": "Japan 1 GB, 7 days",
    "product_price": "4.50",
    "sale_price": "4.50",
    "coupon_code": "",
    "date": "2026-03-01 12:00:01",
    "status": "1",
    "api_sale_id": "wf-sandbox-1005",
    "api_sale_code": "wf-sandbox-1005",
    "reference": "group-4714",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "data": "1 GB",
    "day": "7",
    "fair_use_text": "",
    "country_code": "JP",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "country_name": "Japan",
    "product_type": "esim",
    "refunded": "0.00",
    "is_unlimited": "",
    "esim": {
     "qrcode_url": "https://esim.example.com/qr/sandbox-1005-b578bdd3ff57f49b6570762f32501c7f3b48bc28685e0b7764b08dc9abab75bb.svg",
     "iccid": "8900000000000010051",
     "lpa": "sandbox.invalid",
     "smdpAddress": "sandbox.invalid",
     "activationCode": "LPA:1$sandbox.invalid$SANDBOX-1005",
     "matching_id": "SANDBOX-1005",
     "direct_apple_installation_url": "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1005"
    }
   },
   {
    "id": "1006",
    "product_id": "esc_1daaf23ff1d7c066",
    "product_title": "Japan 10 GB, 30 days",
    "title_display": "Japan 10 GB, 30 days",
    "product_price": "19.00",
    "sale_price": "19.00",
    "coupon_code": "",
    "date": "2026-03-01 12:00:01",
    "status": "1",
    "api_sale_id": "wf-sandbox-1006",
    "api_sale_code": "wf-sandbox-1006",
    "reference": "",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "data": "10 GB",
    "day": "30",
    "fair_use_text": "",
    "country_code": "JP",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "country_name": "Japan",
    "product_type": "esim",
    "refunded": "0.00",
    "is_unlimited": "",
    "esim": {
     "qrcode_url": "https://esim.example.com/qr/sandbox-1006-239756ccf50047c5f9d897fe41f1e4d3d6fc5861658d33f7270c0c07a90661c8.svg",
     "iccid": "8900000000000010069",
     "lpa": "sandbox.invalid",
     "smdpAddress": "sandbox.invalid",
     "activationCode": "LPA:1$sandbox.invalid$SANDBOX-1006",
     "matching_id": "SANDBOX-1006",
     "direct_apple_installation_url": "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1006"
    }
   }
  ],
  "count": 3,
  "charged": 28
 },
 "purchase/batch/{id}": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "batch_id": 1004,
  "orders": [
   {
    "id": "1004",
    "product_id": "esc_a824389a0b4a3db0",
    "product_title": "Japan 1 GB, 7 days",
    "title_display": "Japan 1 GB, 7 days",
    "product_price": "4.50",
    "sale_price": "4.50",
    "coupon_code": "",
    "date": "2026-03-01 12:00:01",
    "status": "1",
    "api_sale_id": "wf-sandbox-1004",
    "api_sale_code": "wf-sandbox-1004",
    "reference": "group-4714",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "data": "1 GB",
    "day": "7",
    "fair_use_text": "",
    "country_code": "JP",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "country_name": "Japan",
    "product_type": "esim",
    "refunded": "0.00",
    "is_unlimited": "",
    "esim": {
     "qrcode_url": "https://esim.example.com/qr/sandbox-1004-01b03e1997cda327574ac9565c46f1c5e6a1000f696ac2ea1f418db3108ba7ac.svg",
     "iccid": "8900000000000010044",
     "lpa": "sandbox.invalid",
     "smdpAddress": "sandbox.invalid",
     "activationCode": "LPA:1$sandbox.invalid$SANDBOX-1004",
     "matching_id": "SANDBOX-1004",
     "direct_apple_installation_url": "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1004"
    }
   },
   {
    "id": "1005",
    "product_id": "esc_a824389a0b4a3db0",
    "product_title": "Japan 1 GB, 7 days",
    "title_display": "Japan 1 GB, 7 days",
    "product_price": "4.50",
    "sale_price": "4.50",
    "coupon_code": "",
    "date": "2026-03-01 12:00:01",
    "status": "1",
    "api_sale_id": "wf-sandbox-1005",
    "api_sale_code": "wf-sandbox-1005",
    "reference": "group-4714",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "data": "1 GB",
    "day": "7",
    "fair_use_text": "",
    "country_code": "JP",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "country_name": "Japan",
    "product_type": "esim",
    "refunded": "0.00",
    "is_unlimited": "",
    "esim": {
     "qrcode_url": "https://esim.example.com/qr/sandbox-1005-b578bdd3ff57f49b6570762f32501c7f3b48bc28685e0b7764b08dc9abab75bb.svg",
     "iccid": "8900000000000010051",
     "lpa": "sandbox.invalid",
     "smdpAddress": "sandbox.invalid",
     "activationCode": "LPA:1$sandbox.invalid$SANDBOX-1005",
     "matching_id": "SANDBOX-1005",
     "direct_apple_installation_url": "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1005"
    }
   },
   {
    "id": "1006",
    "product_id": "esc_1daaf23ff1d7c066",
    "product_title": "Japan 10 GB, 30 days",
    "title_display": "Japan 10 GB, 30 days",
    "product_price": "19.00",
    "sale_price": "19.00",
    "coupon_code": "",
    "date": "2026-03-01 12:00:01",
    "status": "1",
    "api_sale_id": "wf-sandbox-1006",
    "api_sale_code": "wf-sandbox-1006",
    "reference": "",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "data": "10 GB",
    "day": "30",
    "fair_use_text": "",
    "country_code": "JP",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "country_name": "Japan",
    "product_type": "esim",
    "refunded": "0.00",
    "is_unlimited": "",
    "esim": {
     "qrcode_url": "https://esim.example.com/qr/sandbox-1006-239756ccf50047c5f9d897fe41f1e4d3d6fc5861658d33f7270c0c07a90661c8.svg",
     "iccid": "8900000000000010069",
     "lpa": "sandbox.invalid",
     "smdpAddress": "sandbox.invalid",
     "activationCode": "LPA:1$sandbox.invalid$SANDBOX-1006",
     "matching_id": "SANDBOX-1006",
     "direct_apple_installation_url": "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1006"
    }
   }
  ],
  "count": 3,
  "charged": 28,
  "delivered": 3,
  "deferred": 0,
  "failed": 0
 },
 "order/detail": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "order": {
   "id": "1001",
   "product_id": "esc_a824389a0b4a3db0",
   "product_title": "Japan 1 GB, 7 days",
   "title_display": "Japan 1 GB, 7 days",
   "product_price": "4.50",
   "sale_price": "4.50",
   "coupon_code": "",
   "date": "2026-03-01 12:00:01",
   "status": "1",
   "api_sale_id": "wf-sandbox-1001",
   "api_sale_code": "wf-sandbox-1001",
   "reference": "booking-4711",
   "networks": [
    "Kaigan",
    "Docomo"
   ],
   "activation_policy": "first-usage",
   "data": "1 GB",
   "day": "7",
   "fair_use_text": "",
   "country_code": "JP",
   "country_image": "https://esim.example.com/flags/jp.svg",
   "country_name": "Japan",
   "is_unlimited": false,
   "voice": null,
   "text": null,
   "short_info": null,
   "fup_kind": "none",
   "fup_daily_mb": 0,
   "fup_speed_kbps": 0,
   "operator_title": "Kaigan Mobile",
   "operator_image": ""
  },
  "esim": {
   "qrcode": "LPA:1$sandbox.invalid$SANDBOX-1001",
   "qrcode_url": "https://esim.example.com/qr/sandbox-1001-4f645beb5aabd59a29154528c5261f93ad3e90b6f1c9206911df8822a4c023d1.svg",
   "iccid": "8900000000000010010",
   "lpa": "sandbox.invalid",
   "matching_id": "SANDBOX-1001",
   "smdpAddress": "sandbox.invalid",
   "activationCode": "LPA:1$sandbox.invalid$SANDBOX-1001",
   "confirmation_code": null,
   "msisdn": null,
   "apn": null,
   "apn_type": "automatic",
   "apn_value": null,
   "is_roaming": true,
   "share_url": "https://esim.example.com/e/wft_sandbox-1001-0-fPEy9aQeTLNniSXCChznOoH-cBqSdRUOrwWcUAKy4ns"
  },
  "operator_meta": {
   "info": [
    "Data only: no phone number."
   ],
   "warning": null,
   "apn_type": "automatic",
   "apn_value": null,
   "esim_type": "Prepaid",
   "plan_type": "data",
   "is_roaming": true,
   "other_info": null,
   "is_kyc_verify": false,
   "rechargeability": true,
   "activation_policy": "first-usage"
  },
  "refund": null,
  "cancel": null
 },
 "esim/refills": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "iccid": "8900000000000010010",
  "refillable": true,
  "products": [
   {
    "id": "esc_98012facb63edb3c",
    "title": "Japan: 3 GB more",
    "country_code": "JP",
    "country_title": "Japan",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "region": "country",
    "continent": "Asia",
    "data": "3 GB",
    "amount": 3072,
    "day": 15,
    "is_unlimited": "",
    "price": 8,
    "sale_price": 8,
    "price_per_gb": 2.67,
    "operator_title": "Kaigan Mobile",
    "network_type": "5G",
    "coverage_codes": [
     "JP"
    ],
    "coverage_names_en": [
     "Japan"
    ],
    "fup_kind": "none",
    "fup_daily_mb": 0,
    "fup_speed_kbps": 0,
    "fair_use_text": "",
    "is_usage_metered": 0,
    "partner_price": 8,
    "partner_discount": "0.00",
    "partner_margin_share_pct": "0.00",
    "source": "none",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "refillable": true,
    "kyc_required": false,
    "apn": {
     "type": "automatic",
     "value": null
    },
    "voice_minutes": 0,
    "sms": 0,
    "install_window_days": null
   }
  ],
  "count": 1
 },
 "purchase/refill": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "id": "1007",
  "order_id": 1007,
  "billing_mode": "prepaid",
  "balance": 105,
  "delivery": "delivered",
  "delivery_reason": "",
  "provision": "completed",
  "order": {
   "id": "1007",
   "product_id": "esc_98012facb63edb3c",
   "product_title": "Japan: 3 GB more",
   "product_price": "8.00",
   "sale_price": "8.00",
   "coupon_code": "",
   "product_type": "refill",
   "date": "2026-03-01 12:00:01",
   "status": "1",
   "api_sale_id": "wf-sandbox-1007",
   "api_sale_code": "wf-sandbox-1007",
   "reference": ""
  },
  "iccid": "8900000000000010010"
 },
 "order/usage": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "usage": {
   "iccid": "8900000000000010093",
   "sale_id": 1009,
   "title": "Japan 1 GB, 7 days",
   "status": "active",
   "tone": "ok",
   "total_mb": 1024,
   "used_mb": 512,
   "remaining_mb": 512,
   "percent_remaining": 50,
   "is_unlimited": false,
   "fair_use_text": "",
   "activated_at": "2026-03-01 12:00:01",
   "expires_at": "2026-03-08 12:00:01",
   "days_left": 7,
   "fetched_at": "2026-03-01 12:00:02"
  }
 },
 "esim/detail": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "esim": {
   "qrcode": "LPA:1$sandbox.invalid$SANDBOX-1009",
   "qrcode_url": "https://esim.example.com/qr/sandbox-1009-cec98d372af4d54dda4e49008411ed579a53da2c6b75d5b1ada59d7521c286b1.svg",
   "iccid": "8900000000000010093",
   "lpa": "sandbox.invalid",
   "matching_id": "SANDBOX-1009",
   "smdpAddress": "sandbox.invalid",
   "activationCode": "LPA:1$sandbox.invalid$SANDBOX-1009",
   "confirmation_code": null,
   "msisdn": null,
   "apn": null,
   "apn_type": "automatic",
   "apn_value": null,
   "is_roaming": true,
   "state": "active",
   "share_url": "https://esim.example.com/e/wft_sandbox-1009-0-mtmoq3s3HiGjEbUVhe632mhePoZKwnJPYAmjcuEZli8"
  },
  "usage": {
   "iccid": "8900000000000010093",
   "sale_id": 1009,
   "title": "Japan 1 GB, 7 days",
   "status": "active",
   "tone": "ok",
   "total_mb": 1024,
   "used_mb": 512,
   "remaining_mb": 512,
   "percent_remaining": 50,
   "is_unlimited": false,
   "fair_use_text": "",
   "activated_at": "2026-03-01 12:00:01",
   "expires_at": "2026-03-08 12:00:01",
   "days_left": 7,
   "fetched_at": "2026-03-01 12:00:02"
  },
  "orders": [
   {
    "order_id": 1009,
    "product_type": "esim",
    "product_id": "esc_a824389a0b4a3db0",
    "product_title": "Japan 1 GB, 7 days",
    "sale_price": "4.50",
    "status": "1",
    "reference": "",
    "date": "2026-03-01 12:00:01"
   }
  ],
  "install": {
   "apple_url": "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1009",
   "android_url": "https://esimsetup.android.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1009",
   "steps": {
    "lang": "en",
    "iphone": [
     "Tap “Install on iPhone” and follow the instructions.",
     "Name the new line “Travel” and keep your own number for calls and messages.",
     "When you arrive, open Settings › Cellular (or Mobile Service), choose the eSIM, and turn on the line and Data Roaming.",
     "Tap Cellular Data (or Mobile Data) and choose the eSIM."
    ],
    "android": [
     "Tap “Install on Android” and follow the instructions.",
     "Name the new SIM “Travel” and keep your own number for calls and messages.",
     "When you arrive, open Settings › Network & internet › SIMs (Samsung: Connections › SIM manager) and turn on the eSIM.",
     "Choose the eSIM for mobile data and turn on roaming for it."
    ]
   }
  }
 },
 "esim/list": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "esims": [
   {
    "iccid": "8900000000000010119",
    "order_id": 1011,
    "reference": "",
    "product_id": "esc_a824389a0b4a3db0",
    "product_title": "Japan 1 GB, 7 days",
    "country_code": "JP",
    "country_name": "Japan",
    "state": "expired",
    "total_mb": 1024,
    "used_mb": 512,
    "activated_at": "2026-02-21 12:00:02",
    "expires_at": "2026-02-28 12:00:02",
    "fetched_at": "2026-03-01 12:00:02",
    "refills": 0,
    "share_url": "https://esim.example.com/e/wft_sandbox-1011-0-f8K49ytQiFN8a16CmS0wOvWfWI5Atvh7Vx-I1mPUiOA"
   },
   {
    "iccid": "8900000000000010101",
    "order_id": 1010,
    "reference": "",
    "product_id": "esc_a824389a0b4a3db0",
    "product_title": "Japan 1 GB, 7 days",
    "country_code": "JP",
    "country_name": "Japan",
    "state": "depleted",
    "total_mb": 1024,
    "used_mb": 1024,
    "activated_at": "2026-03-01 12:00:02",
    "expires_at": "2026-03-08 12:00:02",
    "fetched_at": "2026-03-01 12:00:02",
    "refills": 0,
    "share_url": "https://esim.example.com/e/wft_sandbox-1010-0-VPAV9mK53ETWlBm5WAO9cwe-jQ1_Hit8kB0N7-5yGD0"
   }
  ],
  "count": 2,
  "has_more": true
 },
 "order/get": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "order": [
   {
    "id": "1001",
    "product_id": "esc_a824389a0b4a3db0",
    "product_title": "Japan 1 GB, 7 days",
    "title_display": "Japan 1 GB, 7 days",
    "product_price": "4.50",
    "sale_price": "4.50",
    "coupon_code": "",
    "date": "2026-03-01 12:00:01",
    "status": "1",
    "api_sale_id": "wf-sandbox-1001",
    "api_sale_code": "wf-sandbox-1001",
    "reference": "booking-4711",
    "networks": [
     "Kaigan",
     "Docomo"
    ],
    "activation_policy": "first-usage",
    "data": "1 GB",
    "day": "7",
    "fair_use_text": "",
    "country_code": "JP",
    "country_image": "https://esim.example.com/flags/jp.svg",
    "country_name": "Japan",
    "product_type": "esim",
    "refunded": "0.00",
    "is_unlimited": "",
    "esim": {
     "qrcode_url": "https://esim.example.com/qr/sandbox-1001-4f645beb5aabd59a29154528c5261f93ad3e90b6f1c9206911df8822a4c023d1.svg",
     "iccid": "8900000000000010010",
     "lpa": "sandbox.invalid",
     "smdpAddress": "sandbox.invalid",
     "activationCode": "LPA:1$sandbox.invalid$SANDBOX-1001",
     "matching_id": "SANDBOX-1001",
     "direct_apple_installation_url": "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1001"
    }
   }
  ],
  "has_more": false
 },
 "order/refund": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "refund": {
   "status": "refunded",
   "amount": "19.00",
   "reason": "The trip was cancelled",
   "note": "",
   "requested_at": "2026-03-01 12:00:02",
   "decided_at": "2026-03-01 12:00:02"
  }
 },
 "order/cancel": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "cancel": {
   "status": "cancelled",
   "requested_at": "2026-03-01 12:00:02",
   "decided_at": "2026-03-01 12:00:02"
  }
 },
 "webhook/list": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "count": 1,
  "events": [
   "order.created",
   "order.paid",
   "order.delivered",
   "order.deferred",
   "order.failed",
   "order.test"
  ],
  "subscriptions": [
   {
    "id": "2",
    "url": "https://shop.example.com/hook",
    "secret_mask": "whsec_********da99",
    "events_list": [
     "order.created",
     "order.paid",
     "order.delivered",
     "order.deferred",
     "order.failed",
     "order.test",
     "order.refunded",
     "order.refund_requested",
     "order.refund_rejected",
     "esim.activated",
     "esim.usage_high",
     "esim.depleted",
     "esim.expiring",
     "esim.expired",
     "account.balance_low",
     "topup.succeeded"
    ],
    "status": "1",
    "fail_count": "0",
    "date": "2026-03-01 12:00:00",
    "updated_at": "2026-03-01 12:00:00"
   }
  ]
 },
 "webhook/test": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "queued": 1,
  "event": "order.test",
  "event_id": "sbx_order.test:0:1",
  "delivery_ids": [
   "98"
  ]
 },
 "webhook/probe": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "request_sent": true,
  "saved": false,
  "url": "https://shop.example.com/hook",
  "event": "order.delivered",
  "event_id": "sbx_order.delivered:0:0",
  "http_status": 200,
  "accepted": true,
  "duration_ms": 1,
  "response_body": "answered 200",
  "error": "",
  "payload": "{\"event\":\"order.delivered\",\"event_id\":\"sbx_order.delivered:0:0\",\"order_id\":0,\"status\":\"1\",\"delivery\":\"delivered\",\"delivery_reason\":\"\",\"iccid\":\"\",\"qr_code\":\"\",\"occurred_at\":\"2026-03-01T12:00:02+00:00\",\"reference\":\"\",\"note\":\"Probe: it describes no order.\",\"livemode\":false}",
  "timestamp": 1772366402,
  "signature": "sha256=85f2662b6116b30276ccd13c5f3dbf3ee79ef0fa2d7094377ccca634877dcf7f",
  "probe_secret": "whsec_82aaa2a8305412526e1fa8f96f918489bee23526bd02892e3bbe04e3282cae09",
  "signature_rule": "X-Signature = 'sha256=' + hex(HMAC-SHA256(secret, X-Webhook-Timestamp + '.' + raw body)); compare in constant time and refuse timestamps more than 300 seconds from your clock."
 },
 "webhook/create": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "subscription": {
   "id": "4",
   "url": "https://shop.example.com/webhooks",
   "secret_mask": "whsec_********a8cd",
   "events_list": [
    "order.delivered",
    "order.failed"
   ],
   "status": "1",
   "fail_count": "0",
   "date": "2026-03-01 12:00:02",
   "updated_at": "2026-03-01 12:00:02"
  },
  "secret": "whsec_4bb9721fc9dc4cc75e6f727b6454ba03e1e8f5e7d6529fa46be656fed3c3a8cd"
 },
 "webhook/update": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "subscription": {
   "id": "4",
   "url": "https://shop.example.com/webhooks",
   "secret_mask": "whsec_********a8cd",
   "events_list": [
    "order.delivered"
   ],
   "status": "1",
   "fail_count": "0",
   "date": "2026-03-01 12:00:02",
   "updated_at": "2026-03-01 12:00:02"
  }
 },
 "webhook/pause": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "subscription": {
   "id": "4",
   "url": "https://shop.example.com/webhooks",
   "secret_mask": "whsec_********a8cd",
   "events_list": [
    "order.delivered"
   ],
   "status": "2",
   "fail_count": "0",
   "date": "2026-03-01 12:00:02",
   "updated_at": "2026-03-01 12:00:02"
  }
 },
 "webhook/resume": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "subscription": {
   "id": "4",
   "url": "https://shop.example.com/webhooks",
   "secret_mask": "whsec_********a8cd",
   "events_list": [
    "order.delivered"
   ],
   "status": "1",
   "fail_count": "0",
   "date": "2026-03-01 12:00:02",
   "updated_at": "2026-03-01 12:00:02"
  }
 },
 "webhook/rotate": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "subscription": {
   "id": "4",
   "url": "https://shop.example.com/webhooks",
   "secret_mask": "whsec_********33cd",
   "events_list": [
    "order.delivered"
   ],
   "status": "1",
   "fail_count": "0",
   "date": "2026-03-01 12:00:02",
   "updated_at": "2026-03-01 12:00:02"
  },
  "secret": "whsec_9146281f950c229e27af56bbe1c8d09955cc0b2ecd49fa4eb59899e88f9233cd"
 },
 "webhook/delete": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "id": "4",
  "deleted": true
 },
 "sandbox/clock": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "now": "2026-03-07 12:00:03",
  "ahead_seconds": 518400
 },
 "webhook/deliveries": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "count": 1,
  "limit": 1,
  "statuses": [
   "pending",
   "sent",
   "failed",
   "dead"
  ],
  "events": [
   "order.created",
   "order.paid",
   "order.delivered",
   "order.deferred",
   "order.failed",
   "order.test"
  ],
  "deliveries": [
   {
    "id": "96",
    "subscription_id": "2",
    "event_id": "sbx_order.delivered:1014:1",
    "event_type": "order.delivered",
    "sale_id": "1014",
    "status": "sent",
    "attempts": "1",
    "max_attempts": "5",
    "http_code": "200",
    "duration_ms": "6",
    "response_body": "answered 200",
    "error": "",
    "sent_at": "2026-03-01 12:00:02",
    "date": "2026-03-01 12:00:02"
   }
  ]
 },
 "account/sandboxReset": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "livemode": false,
  "deleted_orders": 14,
  "balance": 1000
 },
 "account/history": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "ledger": [
   {
    "id": 3,
    "type": "profit_share",
    "amount": 2,
    "balance_after": 1497.74,
    "order_id": 1002,
    "reference": "",
    "product_title": "France 5 GB",
    "note": "unused data of order 1002",
    "date": "2026-03-01 12:00:04"
   },
   {
    "id": 2,
    "type": "purchase",
    "amount": -4.26,
    "balance_after": 1495.74,
    "order_id": 1001,
    "reference": "",
    "product_title": "Japan 1 GB, 7 days",
    "note": "Japan 1 GB, 7 days",
    "date": "2026-03-01 12:00:04"
   },
   {
    "id": 1,
    "type": "topup",
    "amount": 1500,
    "balance_after": 1500,
    "order_id": null,
    "reference": "",
    "product_title": "",
    "note": "",
    "date": "2026-03-01 12:00:04"
   }
  ],
  "balance": 1497.74,
  "balances": {
   "balance": 1497.74,
   "promo": 0,
   "cash": 1497.74,
   "debt": 0
  },
  "has_more": false
 },
 "account/profitshare": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "profit_share_enabled": 1,
  "items": [
   {
    "id": 1,
    "sale_id": 1002,
    "order_id": 1002,
    "iccid": "8900028357389675704",
    "product_title": "France 5 GB",
    "plan_mb": 5120,
    "used_mb": 3072,
    "unused_mb": 2048,
    "unit_cost": "0.001953",
    "unused_cost": "4.000000",
    "share_pct": "50.00",
    "amount": "2.00",
    "channel": "wallet",
    "settle_debt": "0.00",
    "settle_wallet": "2.00",
    "status": "settled",
    "capped": 0,
    "date": "2026-03-01 12:00:04",
    "settled_at": "2026-03-01 12:00:04"
   }
  ],
  "count": 1,
  "total_share": "2.00",
  "total_unused_mb": 2048,
  "currency": "USD"
 },
 "account/statement": {
  "result": "ok",
  "code": "200",
  "title": "Successful",
  "api_version": 3,
  "billing_mode": "postpaid",
  "credit_limit": "500.00",
  "outstanding": "24.50",
  "available": "475.50",
  "profit_share_enabled": 0,
  "status": 1,
  "currency": "USD",
  "ledger": [
   {
    "id": 4,
    "type": "charge",
    "amount": "24.50",
    "balance_after": "24.50",
    "reference": "",
    "product_title": "France 5 GB",
    "note": "",
    "date": "2026-03-01 12:00:04"
   }
  ],
  "count": 1,
  "has_more": false
 }
};
/** What some answer instead, if these fields are sent. */
export const variants: Readonly<Record<string, readonly { readonly when: Readonly<Record<string, string>>; readonly status: number; readonly body: object }[]>> = {
 "account/pricing": [
  {
   "when": {},
   "status": 200,
   "body": {
    "result": "ok",
    "code": "200",
    "title": "Successful",
    "api_version": 3,
    "pricing": {
     "margin_share_pct": 10,
     "margin_share_source": "tier",
     "tier": {
      "window_days": 90,
      "topup_usd": 1500,
      "current_pct": 10,
      "next_min_usd": 5000,
      "next_pct": 15
     },
     "total_share_cap_pct": 60,
     "active_rule_count": 0,
     "average_discount_pct": 5.68,
     "is_average": true,
     "sample_size": 3,
     "sample_scope": "catalog",
     "currency": "USD"
    }
   }
  }
 ],
 "purchase/buy": [
  {
   "when": {
    "sandbox_scenario": "deferred"
   },
   "status": 202,
   "body": {
    "result": "ok",
    "code": "202",
    "title": "Successful",
    "api_version": 3,
    "livemode": false,
    "id": "1002",
    "order_id": 1002,
    "billing_mode": "prepaid",
    "balance": 141,
    "delivery": "deferred",
    "delivery_reason": "awaiting_profile",
    "provision": "queued",
    "order": {
     "id": "1002",
     "product_id": "esc_a824389a0b4a3db0",
     "product_title": "Japan 1 GB, 7 days",
     "product_price": "4.50",
     "sale_price": "4.50",
     "coupon_code": "",
     "product_type": "esim",
     "date": "2026-03-01 12:00:01",
     "status": "4",
     "api_sale_id": "wf-sandbox-1002",
     "api_sale_code": "wf-sandbox-1002",
     "reference": ""
    }
   }
  },
  {
   "when": {
    "sandbox_scenario": "failed"
   },
   "status": 200,
   "body": {
    "result": "ok",
    "code": "200",
    "title": "Successful",
    "api_version": 3,
    "livemode": false,
    "id": "1003",
    "order_id": 1003,
    "billing_mode": "prepaid",
    "balance": 141,
    "delivery": "failed",
    "delivery_reason": "sandbox_scenario",
    "provision": "none",
    "order": {
     "id": "1003",
     "product_id": "esc_a824389a0b4a3db0",
     "product_title": "Japan 1 GB, 7 days",
     "product_price": "4.50",
     "sale_price": "4.50",
     "coupon_code": "",
     "product_type": "esim",
     "date": "2026-03-01 12:00:01",
     "status": "2",
     "api_sale_id": "",
     "api_sale_code": "",
     "reference": ""
    }
   }
  }
 ],
 "purchase/refill": [
  {
   "when": {
    "sandbox_scenario": "deferred"
   },
   "status": 202,
   "body": {
    "result": "ok",
    "code": "202",
    "title": "Successful",
    "api_version": 3,
    "livemode": false,
    "id": "1008",
    "order_id": 1008,
    "billing_mode": "prepaid",
    "balance": 97,
    "delivery": "deferred",
    "delivery_reason": "awaiting_profile",
    "provision": "queued",
    "order": {
     "id": "1008",
     "product_id": "esc_98012facb63edb3c",
     "product_title": "Japan: 3 GB more",
     "product_price": "8.00",
     "sale_price": "8.00",
     "coupon_code": "",
     "product_type": "refill",
     "date": "2026-03-01 12:00:01",
     "status": "4",
     "api_sale_id": "wf-sandbox-1008",
     "api_sale_code": "wf-sandbox-1008",
     "reference": ""
    },
    "iccid": "8900000000000010010"
   }
  }
 ],
 "webhook/rotate": [
  {
   "when": {
    "finish": "1"
   },
   "status": 200,
   "body": {
    "result": "ok",
    "code": "200",
    "title": "Successful",
    "api_version": 3,
    "livemode": false,
    "subscription": {
     "id": "4",
     "url": "https://shop.example.com/webhooks",
     "secret_mask": "whsec_********33cd",
     "events_list": [
      "order.delivered"
     ],
     "status": "1",
     "fail_count": "0",
     "date": "2026-03-01 12:00:02",
     "updated_at": "2026-03-01 12:00:02"
    }
   }
  }
 ],
 "sandbox/clock": [
  {
   "when": {
    "reset": "1"
   },
   "status": 200,
   "body": {
    "result": "ok",
    "code": "200",
    "title": "Successful",
    "api_version": 3,
    "livemode": false,
    "now": "2026-03-01 12:00:04",
    "ahead_seconds": 0
   }
  }
 ],
 "webhook/deliveries": [
  {
   "when": {
    "id": "96"
   },
   "status": 200,
   "body": {
    "result": "ok",
    "code": "200",
    "title": "Successful",
    "api_version": 3,
    "livemode": false,
    "delivery": {
     "id": "96",
     "subscription_id": "2",
     "event_id": "sbx_order.delivered:1014:1",
     "event_type": "order.delivered",
     "sale_id": "1014",
     "status": "sent",
     "attempts": "1",
     "max_attempts": "5",
     "http_code": "200",
     "duration_ms": "6",
     "response_body": "answered 200",
     "error": "",
     "sent_at": "2026-03-01 12:00:02",
     "date": "2026-03-01 12:00:02"
    },
    "payload": "{\"event\":\"order.delivered\",\"event_id\":\"sbx_order.delivered:1014:1\",\"order_id\":1014,\"status\":\"1\",\"delivery\":\"delivered\",\"delivery_reason\":\"\",\"iccid\":\"8900000000000010143\",\"qr_code\":\"LPA:1$sandbox.invalid$SANDBOX-1014\",\"occurred_at\":\"2026-03-01T12:00:02+00:00\",\"reference\":\"\",\"livemode\":false}",
    "payload_pruned": false,
    "signature_rule": "X-Signature = 'sha256=' + hex(HMAC-SHA256(secret, X-Webhook-Timestamp + '.' + raw body)); compare in constant time and refuse timestamps more than 300 seconds from your clock."
   }
  }
 ]
};
/** The body of every webhook, by its event. */
export const events: Readonly<Record<string, object>> = {
 "topup.succeeded": {
  "event": "topup.succeeded",
  "event_id": "sbx_topup.succeeded:2:1",
  "occurred_at": "2026-03-01T12:00:01+00:00",
  "balance": "150.00",
  "amount": "50.00",
  "livemode": false
 },
 "order.created": {
  "event": "order.created",
  "event_id": "sbx_order.created:1001:1",
  "order_id": 1001,
  "status": "3",
  "delivery": "",
  "delivery_reason": "",
  "iccid": "",
  "qr_code": "",
  "occurred_at": "2026-03-01T12:00:01+00:00",
  "reference": "booking-4711",
  "livemode": false
 },
 "order.paid": {
  "event": "order.paid",
  "event_id": "sbx_order.paid:1001:1",
  "order_id": 1001,
  "status": "4",
  "delivery": "",
  "delivery_reason": "",
  "iccid": "",
  "qr_code": "",
  "occurred_at": "2026-03-01T12:00:01+00:00",
  "reference": "booking-4711",
  "livemode": false
 },
 "order.delivered": {
  "event": "order.delivered",
  "event_id": "sbx_order.delivered:1001:1",
  "order_id": 1001,
  "status": "1",
  "delivery": "delivered",
  "delivery_reason": "",
  "iccid": "8900000000000010010",
  "qr_code": "LPA:1$sandbox.invalid$SANDBOX-1001",
  "occurred_at": "2026-03-01T12:00:01+00:00",
  "reference": "booking-4711",
  "livemode": false
 },
 "order.deferred": {
  "event": "order.deferred",
  "event_id": "sbx_order.deferred:1002:1",
  "order_id": 1002,
  "status": "4",
  "delivery": "deferred",
  "delivery_reason": "awaiting_profile",
  "iccid": "",
  "qr_code": "",
  "occurred_at": "2026-03-01T12:00:01+00:00",
  "reference": "",
  "livemode": false
 },
 "order.failed": {
  "event": "order.failed",
  "event_id": "sbx_order.failed:1003:1",
  "order_id": 1003,
  "status": "2",
  "delivery": "failed",
  "delivery_reason": "sandbox_scenario",
  "iccid": "",
  "qr_code": "",
  "occurred_at": "2026-03-01T12:00:01+00:00",
  "reference": "",
  "livemode": false
 },
 "esim.activated": {
  "event": "esim.activated",
  "event_id": "sbx_esim.activated:8900000000000010093:1",
  "occurred_at": "2026-03-01T12:00:02+00:00",
  "iccid": "8900000000000010093",
  "order_id": 1009,
  "reference": "",
  "usage": {
   "iccid": "8900000000000010093",
   "sale_id": 1009,
   "title": "Japan 1 GB, 7 days",
   "status": "active",
   "tone": "ok",
   "total_mb": 1024,
   "used_mb": 512,
   "remaining_mb": 512,
   "percent_remaining": 50,
   "is_unlimited": false,
   "fair_use_text": "",
   "activated_at": "2026-03-01 12:00:01",
   "expires_at": "2026-03-08 12:00:01",
   "days_left": 7,
   "fetched_at": "2026-03-01 12:00:02"
  },
  "livemode": false
 },
 "order.refunded": {
  "event": "order.refunded",
  "event_id": "sbx_order.refunded:1012:1",
  "order_id": 1012,
  "status": "1",
  "delivery": "delivered",
  "delivery_reason": "",
  "iccid": "8900000000000010127",
  "qr_code": "LPA:1$sandbox.invalid$SANDBOX-1012",
  "occurred_at": "2026-03-01T12:00:02+00:00",
  "reference": "",
  "refund": {
   "status": "refunded",
   "amount": "19.00",
   "reason": "The trip was cancelled",
   "note": "",
   "requested_at": "2026-03-01 12:00:02",
   "decided_at": "2026-03-01 12:00:02"
  },
  "livemode": false
 },
 "order.refund_requested": {
  "event": "order.refund_requested",
  "event_id": "sbx_order.refund_requested:1009:1",
  "order_id": 1009,
  "status": "1",
  "delivery": "delivered",
  "delivery_reason": "",
  "iccid": "8900000000000010093",
  "qr_code": "LPA:1$sandbox.invalid$SANDBOX-1009",
  "occurred_at": "2026-03-01T12:00:02+00:00",
  "reference": "",
  "refund": {
   "status": "requested",
   "amount": "0.00",
   "reason": "Too slow",
   "note": "",
   "requested_at": "2026-03-01 12:00:02",
   "decided_at": null
  },
  "livemode": false
 },
 "order.refund_rejected": {
  "event": "order.refund_rejected",
  "event_id": "sbx_order.refund_rejected:1009:1",
  "order_id": 1009,
  "status": "1",
  "delivery": "delivered",
  "delivery_reason": "",
  "iccid": "8900000000000010093",
  "qr_code": "LPA:1$sandbox.invalid$SANDBOX-1009",
  "occurred_at": "2026-03-01T12:00:02+00:00",
  "reference": "",
  "refund": {
   "status": "rejected",
   "amount": "0.00",
   "reason": "Too slow",
   "note": "used",
   "requested_at": "2026-03-01 12:00:02",
   "decided_at": "2026-03-01 12:00:02"
  },
  "livemode": false
 },
 "account.balance_low": {
  "event": "account.balance_low",
  "event_id": "sbx_account.balance_low:2:1",
  "occurred_at": "2026-03-01T12:00:02+00:00",
  "balance": "7.50",
  "level": "10.00",
  "livemode": false
 },
 "order.test": {
  "event": "order.test",
  "event_id": "sbx_order.test:0:1",
  "order_id": 0,
  "status": "test",
  "delivery": "",
  "delivery_reason": "",
  "iccid": "",
  "qr_code": "",
  "occurred_at": "2026-03-01T12:00:02+00:00",
  "reference": "",
  "note": "Test event: it describes no order.",
  "livemode": false
 },
 "esim.expired": {
  "event": "esim.expired",
  "event_id": "sbx_esim.expired:8900000000000010119:1",
  "occurred_at": "2026-03-01T12:00:02+00:00",
  "iccid": "8900000000000010119",
  "order_id": 1011,
  "reference": "",
  "usage": {
   "iccid": "8900000000000010119",
   "sale_id": 1011,
   "title": "Japan 1 GB, 7 days",
   "status": "expired",
   "tone": "danger",
   "total_mb": 1024,
   "used_mb": 512,
   "remaining_mb": 512,
   "percent_remaining": 50,
   "is_unlimited": false,
   "fair_use_text": "",
   "activated_at": "2026-02-21 12:00:02",
   "expires_at": "2026-02-28 12:00:02",
   "days_left": 0,
   "fetched_at": "2026-03-01 12:00:02"
  },
  "livemode": false
 },
 "esim.usage_high": {
  "event": "esim.usage_high",
  "event_id": "sbx_esim.usage_high:8900000000000010101:1",
  "occurred_at": "2026-03-01T12:00:03+00:00",
  "iccid": "8900000000000010101",
  "order_id": 1010,
  "reference": "",
  "usage": {
   "iccid": "8900000000000010101",
   "sale_id": 1010,
   "title": "Japan 1 GB, 7 days",
   "status": "depleted",
   "tone": "danger",
   "total_mb": 1024,
   "used_mb": 1024,
   "remaining_mb": 0,
   "percent_remaining": 0,
   "is_unlimited": false,
   "fair_use_text": "",
   "activated_at": "2026-03-01 12:00:02",
   "expires_at": "2026-03-08 12:00:02",
   "days_left": 7,
   "fetched_at": "2026-03-01 12:00:03"
  },
  "livemode": false
 },
 "esim.depleted": {
  "event": "esim.depleted",
  "event_id": "sbx_esim.depleted:8900000000000010101:1",
  "occurred_at": "2026-03-01T12:00:03+00:00",
  "iccid": "8900000000000010101",
  "order_id": 1010,
  "reference": "",
  "usage": {
   "iccid": "8900000000000010101",
   "sale_id": 1010,
   "title": "Japan 1 GB, 7 days",
   "status": "depleted",
   "tone": "danger",
   "total_mb": 1024,
   "used_mb": 1024,
   "remaining_mb": 0,
   "percent_remaining": 0,
   "is_unlimited": false,
   "fair_use_text": "",
   "activated_at": "2026-03-01 12:00:02",
   "expires_at": "2026-03-08 12:00:02",
   "days_left": 7,
   "fetched_at": "2026-03-01 12:00:03"
  },
  "livemode": false
 },
 "esim.expiring": {
  "event": "esim.expiring",
  "event_id": "sbx_esim.expiring:8900000000000010093:1",
  "occurred_at": "2026-03-07T12:00:04+00:00",
  "iccid": "8900000000000010093",
  "order_id": 1009,
  "reference": "",
  "usage": {
   "iccid": "8900000000000010093",
   "sale_id": 1009,
   "title": "Japan 1 GB, 7 days",
   "status": "active",
   "tone": "warning",
   "total_mb": 1024,
   "used_mb": 512,
   "remaining_mb": 512,
   "percent_remaining": 50,
   "is_unlimited": false,
   "fair_use_text": "",
   "activated_at": "2026-03-01 12:00:01",
   "expires_at": "2026-03-08 12:00:01",
   "days_left": 1,
   "fetched_at": "2026-03-07 12:00:04"
  },
  "livemode": false
 }
};
/** The HTTP status of every error code. */
export const statuses: Readonly<Record<string, number>> = {
 "invalid_sandbox_error": 400,
 "malformed_request": 400,
 "api_key_header_required": 401,
 "api_key_required": 401,
 "invalid_api_key": 401,
 "live_key_on_sandbox_host": 401,
 "sandbox_key_on_live_host": 401,
 "ip_not_allowed": 403,
 "key_not_permitted": 403,
 "partner_disabled": 403,
 "partner_not_found": 403,
 "method_not_allowed": 405,
 "body_too_large": 413,
 "unsupported_media_type": 415,
 "rate_limited": 429,
 "internal_error": 500,
 "service_unavailable": 503,
 "country_required": 400,
 "invalid_all_variants": 400,
 "invalid_country": 400,
 "invalid_day": 400,
 "invalid_include_small": 400,
 "invalid_limit": 400,
 "invalid_max_data_mb": 400,
 "invalid_max_day": 400,
 "invalid_max_price": 400,
 "invalid_min_data_mb": 400,
 "invalid_min_day": 400,
 "invalid_min_price": 400,
 "invalid_network_type": 400,
 "invalid_offset": 400,
 "invalid_order": 400,
 "invalid_sort": 400,
 "invalid_type": 400,
 "invalid_unlimited": 400,
 "invalid_usage_metered": 400,
 "country_not_found": 404,
 "invalid_product": 400,
 "product_id_required": 400,
 "product_not_found": 404,
 "invalid_since": 400,
 "since_required": 400,
 "invalid_search": 400,
 "idempotency_key_too_long": 400,
 "invalid_idempotency_key": 400,
 "invalid_partner_price": 400,
 "invalid_price": 400,
 "invalid_reference": 400,
 "invalid_sandbox_scenario": 400,
 "invalid_sandbox_usage": 400,
 "quantity_not_supported": 400,
 "reference_too_long": 400,
 "credit_charge_failed": 402,
 "insufficient_balance": 402,
 "credit_limit_exceeded": 403,
 "partner_account_suspended": 403,
 "charge_in_progress": 409,
 "charge_incomplete": 409,
 "idempotency_key_conflict": 409,
 "sale_insert_failed": 500,
 "sandbox_balance_write_failed": 500,
 "sandbox_order_insert_failed": 500,
 "invalid_before_id": 400,
 "invalid_from": 400,
 "invalid_iccid": 400,
 "invalid_refund_status": 400,
 "invalid_status": 400,
 "invalid_to": 400,
 "order_read_failed": 500,
 "sandbox_order_read_failed": 500,
 "order_id_required": 400,
 "order_not_found": 404,
 "iccid_required": 400,
 "usage_not_available": 404,
 "reason_too_long": 400,
 "order_not_refundable": 409,
 "sandbox_balance_read_failed": 500,
 "invalid_order_id": 400,
 "history_read_failed": 500,
 "partner_account_not_found": 404,
 "amount_out_of_range": 400,
 "amount_required": 400,
 "topup_failed": 400,
 "topup_not_available": 403,
 "topup_record_failed": 500,
 "balance_out_of_range": 400,
 "payment_key_required": 400,
 "topup_confirm_failed": 400,
 "topup_not_found": 404,
 "invalid_operation": 400,
 "sandbox_only_action": 400,
 "sandbox_reset_failed": 500,
 "sandbox_webhook_read_failed": 500,
 "webhook_read_failed": 500,
 "invalid_event": 400,
 "invalid_subscription_id": 400,
 "delivery_not_found": 404,
 "no_subscription": 404,
 "subscription_not_found": 404,
 "no_active_subscription": 409,
 "sandbox_queue_full": 429,
 "test_enqueue_failed": 500,
 "probe_blocked": 400,
 "url_required": 400,
 "url_too_long": 400,
 "probe_unavailable": 500,
 "invalid_refill": 400,
 "esim_not_found": 404,
 "idempotency_key_required": 400,
 "invalid_items": 400,
 "items_required": 400,
 "too_many_items": 400,
 "batch_not_found": 404,
 "invalid_state": 400,
 "invalid_lang": 400,
 "url_blocked": 400,
 "subscription_limit_reached": 409,
 "url_already_subscribed": 409,
 "id_required": 400,
 "invalid_finish": 400,
 "advance_required": 400,
 "invalid_advance": 400,
 "invalid_reset": 400,
 "clock_too_far": 409
};

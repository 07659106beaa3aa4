// Made by `npm run sdk` from the description of the API. Do not edit.
export interface components {
    schemas: {
        /** What every successful answer begins with. */
        Envelope: {
            /**
             * The request was carried out.
             * @example ok
             */
            result: "ok";
            /**
             * The HTTP status.
             * @example 200
             */
            code: "200" | "202";
            /**
             * A label for people; may be reworded.
             * @example Successful
             */
            title: string;
            /**
             * The version of the API.
             * @example 3
             */
            api_version: 3;
            /**
             * In sandbox answers only.
             * @example false
             */
            livemode?: false;
            /**
             * Fields you sent that the endpoint does not know, in the order sent. Absent if there are none.
             * @example [
             *       "produkt_id"
             * ]
             */
            ignored?: string[];
        };
        /** A destination: a country, a region or the globe. */
        Country: {
            /**
             * ISO code of a country, or the code of a region.
             * @example FR
             */
            country_code: string;
            /**
             * Its name in English.
             * @example France
             */
            title: string;
            /**
             * Its name as it is used in addresses.
             * @example france
             */
            slug: string;
            /**
             * Address of its flag or picture.
             * @example https://esim.example.com/flags/fr.svg
             */
            image: string;
            /**
             * The slug of the region it belongs to. Can be passed to `catalog/products` as `country`. May be empty.
             * @example europe
             */
            region: string;
        };
        /** What `catalog/countries` answers. */
        CatalogCountriesAnswer: components["schemas"]["Envelope"] & {
            /**
             * How many there are.
             * @example 4
             */
            count: number;
            /** Every destination, sorted by code. */
            countries: components["schemas"]["Country"][];
        };
        /** A plan that can be bought, with your price. */
        Product: {
            /**
             * The id to buy it with. It stays the same as long as the plan exists.
             * @example esc_a824389a0b4a3db0
             */
            id: string;
            /**
             * Name of the plan.
             * @example Japan 1 GB, 7 days
             */
            title: string;
            /**
             * Its destination: ISO code of a country, or the code of a region.
             * @example JP
             */
            country_code: string;
            /**
             * Name of the destination.
             * @example Japan
             */
            country_title: string;
            /**
             * Address of the flag or picture of the destination.
             * @example https://esim.example.com/flags/jp.svg
             */
            country_image: string;
            /**
             * How far the plan reaches.
             *
             * - `country`: One country.
             * - `regional`: The countries of a region.
             * - `global`: Countries on several continents.
             * @example country
             */
            region: "country" | "regional" | "global";
            /**
             * Continent of the destination; may be empty.
             * @example Asia
             */
            continent: string;
            /**
             * The data of the plan as text for people.
             * @example 1 GB
             */
            data: string;
            /**
             * The data in MB (1024 MB are 1 GB); 0 for unlimited plans.
             * @example 1024
             */
            amount: number;
            /**
             * How many days the plan is valid.
             * @example 7
             */
            day: number;
            /**
             * `true` if the data is unlimited, otherwise an empty string.
             * @example
             */
            is_unlimited: true | "";
            /**
             * List price in USD.
             * @example 4.5
             */
            price: number;
            /**
             * List price in USD, the same as `price`. You pay `partner_price`.
             * @example 4.5
             */
            sale_price: number;
            /**
             * List price of one GB in USD; null where it does not apply, as for unlimited plans.
             * @example 4.5
             */
            price_per_gb: number | null;
            /**
             * The network operator; may be empty.
             * @example Kaigan Mobile
             */
            operator_title: string;
            /**
             * The fastest network the plan can use.
             *
             * - `4G`: 4G (LTE).
             * - `5G`: 5G.
             * @example 5G
             */
            network_type: "4G" | "5G";
            /**
             * ISO codes of the countries covered.
             * @example [
             *       "JP"
             * ]
             */
            coverage_codes: string[];
            /**
             * English names of the countries covered.
             * @example [
             *       "Japan"
             * ]
             */
            coverage_names_en: string[];
            /**
             * Kind of the fair-use rule; `unknown` if the supplier does not say.
             * @example none
             */
            fup_kind: string;
            /**
             * Data per day at full speed, in MB; 0 if there is no such limit.
             * @example 0
             */
            fup_daily_mb: number;
            /**
             * Speed after that, in kbit/s; 0 if there is no such limit.
             * @example 0
             */
            fup_speed_kbps: number;
            /**
             * The fair-use rule in words; may be empty.
             * @example
             */
            fair_use_text: string;
            /**
             * 1 if the supplier charges by use: a hint only.
             * @example 0
             */
            is_usage_metered: 0 | 1;
            /**
             * What you pay, in USD.
             * @example 4.5
             */
            partner_price: number;
            /**
             * List price minus your price, in USD, two decimals.
             * @example 0.00
             */
            partner_discount: string;
            /**
             * The part of the margin that became your discount, in percent.
             * @example 0.00
             */
            partner_margin_share_pct: string;
            /**
             * Which price rule won: the most specific one that applies.
             *
             * - `product`: A fixed price for this product.
             * - `provider`: A share for all plans of its supplier.
             * - `country`: A share for its country.
             * - `region`: A share for its region.
             * - `account_default`: Your account's own share.
             * - `none`: No rule: your price is the list price.
             * @example none
             */
            source: "product" | "provider" | "country" | "region" | "account_default" | "none";
            /**
             * The mobile networks the eSIM uses; empty if the supplier does not say.
             * @example [
             *       "NTT Docomo"
             * ]
             */
            networks: string[];
            /**
             * When the days begin to count: `first-usage`, `installation`, or what else the supplier says.
             * @example first-usage
             */
            activation_policy: string;
            /**
             * Whether data can be added to the eSIM later. `esim/refills` lists what fits.
             * @example true
             */
            refillable: boolean;
            /**
             * Whether the traveller has to be identified before it works.
             * @example false
             */
            kyc_required: boolean;
            /** How the phone gets its access point name. */
            apn: components["schemas"]["ProductApn"];
            /**
             * Minutes of calls; 0 if none are included.
             * @example 0
             */
            voice_minutes: number;
            /**
             * Text messages; 0 if none are included.
             * @example 0
             */
            sms: number;
            /**
             * Within how many days of the purchase the eSIM has to be installed; null if the supplier does not say.
             * @example 180
             */
            install_window_days: number | null;
        };
        /** How the phone gets its access point name. */
        ProductApn: {
            /**
             * `automatic`, or `manual` if the traveller has to type it in.
             * @example automatic
             */
            type: string;
            /**
             * The name to type in; null if it is automatic.
             * @example internet
             */
            value: string | null;
        };
        /** What `catalog/products` answers. */
        CatalogProductsAnswer: components["schemas"]["Envelope"] & {
            /**
             * The destination that was found.
             * @example JP
             */
            country_code: string;
            /** A destination: a country, a region or the globe. */
            country: components["schemas"]["Country"];
            /**
             * Whether plans of less than 1 GB are included.
             * @example false
             */
            include_small: boolean;
            /**
             * Whether every variant is listed.
             * @example false
             */
            all_variants: boolean;
            /**
             * How many plans there are before the filters.
             * @example 2
             */
            total: number;
            /**
             * How many match the filters.
             * @example 1
             */
            matched: number;
            /**
             * How many rows this answer has.
             * @example 1
             */
            count: number;
            /**
             * Whether more rows matched after these.
             * @example false
             */
            truncated: boolean;
            /**
             * The limit that was applied.
             * @example 500
             */
            limit: number;
            /**
             * The offset that was applied.
             * @example 0
             */
            offset: number;
            /**
             * What the rows are sorted by.
             *
             * - `price`: List price.
             * - `price_per_gb`: List price of one GB. Plans without one come last in both directions.
             * - `data`: Data; unlimited plans count as 0.
             * - `day`: Days.
             * - `title`: Title, as in English, ignoring case.
             * @example price
             */
            sort: "price" | "price_per_gb" | "data" | "day" | "title";
            /**
             * The direction.
             *
             * - `asc`: Smallest first.
             * - `desc`: Largest first.
             * @example asc
             */
            order: "asc" | "desc";
            /**
             * The filters that were applied, by name; an empty list if there were none.
             * @example {
             *       "max_day": 7
             * }
             */
            filters: unknown[] | {
                [key: string]: unknown;
            };
            /** The plans. */
            products: components["schemas"]["Product"][];
        };
        /** What `catalog/product` answers. */
        CatalogProductAnswer: components["schemas"]["Envelope"] & {
            /** A plan that can be bought, with your price. */
            product: components["schemas"]["Product"];
        };
        /** What `catalog/export` answers. */
        CatalogExportAnswer: components["schemas"]["Envelope"] & {
            /**
             * Names the catalog as it is now. Send it to `catalog/changes` as `since`.
             * @example 2-a5c24fee-16a7c1a3-af1f28558cf276a6
             */
            version: string;
            /**
             * How many plans there are.
             * @example 3
             */
            count: number;
            /** Every plan on sale. */
            products: components["schemas"]["Product"][];
        };
        /** What `catalog/changes` answers. */
        CatalogChangesAnswer: components["schemas"]["Envelope"] & {
            /**
             * Names the catalog as it is now, for the next call.
             * @example 2-a5c24fee-16a7c1a3-af1f28558cf276a6
             */
            version: string;
            /**
             * false: `since` is too old, or most of your prices changed. Export again.
             * @example true
             */
            complete: boolean;
            /** Plans that are new, or different in any field. */
            changed: components["schemas"]["Product"][];
            /**
             * Ids of plans that are no longer on sale.
             * @example [
             *       "esc_0123456789abcdef"
             * ]
             */
            removed: string[];
        };
        /** A phone or tablet that takes an eSIM. */
        Device: {
            /**
             * Who makes it.
             * @example Google
             */
            brand: string;
            /**
             * Name of the model.
             * @example Pixel 8
             */
            model: string;
            /**
             * Its operating system: `iOS`, `iPadOS`, `Android` or `Windows`.
             * @example Android
             */
            os: string;
        };
        /** What `catalog/devices` answers. */
        CatalogDevicesAnswer: components["schemas"]["Envelope"] & {
            /** The devices, sorted by brand. */
            devices: components["schemas"]["Device"][];
            /**
             * How many there are.
             * @example 3
             */
            count: number;
            /**
             * Format: date
             *
             * When the list was last gone through.
             * @example 2025-11-01
             */
            updated: string;
        };
        /** The order as it was recorded. */
        PurchasedOrder: {
            /**
             * The number of the order.
             * @example 1001
             */
            id: string;
            /**
             * The product that was bought.
             * @example esc_a824389a0b4a3db0
             */
            product_id: string;
            /**
             * Name of the plan.
             * @example Japan 1 GB, 7 days
             */
            product_title: string;
            /**
             * The list price. USD, two decimals.
             * @example 4.50
             */
            product_price: string;
            /**
             * What you were charged. USD, two decimals.
             * @example 4.50
             */
            sale_price: string;
            /**
             * Always empty: there are no coupons.
             * @example
             */
            coupon_code: string;
            /**
             * `esim`, or `refill` for data added to an eSIM that exists.
             * @example esim
             */
            product_type: string;
            /**
             * When it was bought. UTC.
             * @example 2026-03-01 12:00:00
             */
            date: string;
            /**
             * How far the order is.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 1
             */
            status: "1" | "2" | "3" | "4";
            /**
             * The supplier's number of the order; empty until the supplier has answered.
             * @example wf-sandbox-1001
             */
            api_sale_id: string;
            /**
             * Our reference at the supplier; empty until the supplier has answered.
             * @example wf-sandbox-1001
             */
            api_sale_code: string;
            /**
             * Your own reference; empty if you gave none.
             * @example booking-4711
             */
            reference: string;
        };
        /** What `purchase/buy` answers. */
        PurchaseBuyAnswer: components["schemas"]["Envelope"] & {
            /**
             * The number of the order, as text.
             * @example 1001
             */
            id: string;
            /**
             * The number of the order.
             * @example 1001
             */
            order_id: number;
            /**
             * How the account pays.
             *
             * - `prepaid`: From the wallet, at once.
             * - `postpaid`: On invoice terms: the price is added to the debt.
             * @example prepaid
             */
            billing_mode: "prepaid" | "postpaid";
            /**
             * What the wallet can spend now, in USD. It does not change on invoice terms.
             * @example 145.5
             */
            balance: number;
            /**
             * What became of the purchase.
             *
             * - `delivered`: The eSIM exists.
             * - `deferred`: Paid and on its way. Do not buy again.
             * - `failed`: It will not be delivered, and nothing is charged.
             * @example delivered
             */
            delivery: "delivered" | "deferred" | "failed";
            /**
             * Why it is deferred (`awaiting_profile`, `provider_unavailable`) or failed (`insufficient_balance`, `credit_limit_exceeded`, `credit_charge_failed`, `provider_rejected`, `sandbox_scenario`); empty if delivered.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * How far the supplier is.
             *
             * - `completed`: Delivered.
             * - `queued`: Deferred: we keep asking.
             * - `none`: Failed: there is nothing to wait for.
             * @example completed
             */
            provision: "completed" | "queued" | "none";
            /** The order as it was recorded. */
            order: components["schemas"]["PurchasedOrder"];
            /**
             * `sandbox_queue_full`: too many sandbox deliveries are waiting, so the order sends no events.
             * @example [
             *       "sandbox_queue_full"
             * ]
             */
            warnings?: string[];
        };
        /** An order as lists show it. */
        Order: {
            /**
             * The number of the order.
             * @example 1001
             */
            id: string;
            /**
             * The product that was bought.
             * @example esc_a824389a0b4a3db0
             */
            product_id: string;
            /**
             * Name of the plan.
             * @example Japan 1 GB, 7 days
             */
            product_title: string;
            /**
             * Name of the plan with its destination.
             * @example Japan 1 GB, 7 days
             */
            title_display: string;
            /**
             * The list price at the time of purchase. USD, two decimals.
             * @example 4.50
             */
            product_price: string;
            /**
             * What you were charged. USD, two decimals.
             * @example 4.50
             */
            sale_price: string;
            /**
             * Always empty: there are no coupons.
             * @example
             */
            coupon_code: string;
            /**
             * When it was bought. UTC.
             * @example 2026-03-01 12:00:00
             */
            date: string;
            /**
             * How far the order is.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 1
             */
            status: "1" | "2" | "3" | "4";
            /**
             * The supplier's number of the order; empty until the supplier has answered.
             * @example wf-sandbox-1001
             */
            api_sale_id: string;
            /**
             * Our reference at the supplier; empty until the supplier has answered.
             * @example wf-sandbox-1001
             */
            api_sale_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example booking-4711
             */
            reference: string;
            /**
             * The mobile networks the eSIM uses; empty if the supplier does not say.
             * @example [
             *       "Vodafone"
             * ]
             */
            networks: string[];
            /**
             * When the days begin to count; null if unknown.
             * @example first-usage
             */
            activation_policy: string | null;
            /**
             * The data of the plan as text for people.
             * @example 1 GB
             */
            data: string;
            /**
             * How many days the plan is valid.
             * @example 7
             */
            day: string;
            /**
             * The fair-use rule in words; may be empty.
             * @example
             */
            fair_use_text: string;
            /**
             * Its destination: ISO code of a country, or the code of a region.
             * @example JP
             */
            country_code: string;
            /**
             * Address of the flag or picture of the destination.
             * @example https://esim.example.com/flags/jp.svg
             */
            country_image: string;
            /**
             * Name of the destination.
             * @example Japan
             */
            country_name: string;
            /**
             * What was bought.
             *
             * - `esim`: A plan with a new eSIM.
             * - `refill`: Data and days for an eSIM that exists.
             * @example esim
             */
            product_type: "esim" | "refill";
            /**
             * What of the price was given back. USD, two decimals.
             * @example 0.00
             */
            refunded: string;
            /**
             * `1` if the data is unlimited, otherwise an empty string.
             * @example
             */
            is_unlimited: "1" | "";
            /** The eSIM of an order; its texts are empty before delivery. A secret. */
            esim: components["schemas"]["OrderEsim"];
        };
        /** The eSIM of an order; its texts are empty before delivery. A secret. */
        OrderEsim: {
            /**
             * Address of the QR code as an image. Protect it like the code itself.
             * @example https://esim.example.com/qr/sandbox-1001-4f645beb5aabd59a29154528c5261f93ad3e90b6f1c9206911df8822a4c023d1.svg
             */
            qrcode_url: string;
            /**
             * The number of the eSIM.
             * @example 8900000000000010010
             */
            iccid: string;
            /**
             * The server the phone downloads from; the same as `smdpAddress`.
             * @example sandbox.invalid
             */
            lpa: string;
            /**
             * The server (SM-DP+) the phone downloads from.
             * @example sandbox.invalid
             */
            smdpAddress: string;
            /**
             * Server and matching id together, as in the QR code.
             * @example LPA:1$sandbox.invalid$SANDBOX-1001
             */
            activationCode: string;
            /**
             * The activation code that a phone asks for beside the server.
             * @example K2-1A2B3C
             */
            matching_id: string | null;
            /**
             * Starts the installation on an iPhone.
             * @example https://esimsetup.apple.com/…
             */
            direct_apple_installation_url: string | null;
        };
        /** What `order/get` answers. */
        OrderGetAnswer: components["schemas"]["Envelope"] & {
            /** The orders, newest first. */
            order: components["schemas"]["Order"][];
            /**
             * Whether older orders match.
             * @example false
             */
            has_more: boolean;
            /**
             * Only if the page asked for lies so far back that it was not reached in time: the number of the page that is shown instead.
             * @example 20001
             */
            start?: number;
        };
        /** An order with what is known of its plan. */
        OrderDetail: {
            /**
             * The number of the order.
             * @example 1001
             */
            id: string;
            /**
             * The product that was bought.
             * @example esc_a824389a0b4a3db0
             */
            product_id: string;
            /**
             * Name of the plan.
             * @example Japan 1 GB, 7 days
             */
            product_title: string;
            /**
             * Name of the plan with its destination.
             * @example Japan 1 GB, 7 days
             */
            title_display: string;
            /**
             * The list price at the time of purchase. USD, two decimals.
             * @example 4.50
             */
            product_price: string;
            /**
             * What you were charged. USD, two decimals.
             * @example 4.50
             */
            sale_price: string;
            /**
             * Always empty: there are no coupons.
             * @example
             */
            coupon_code: string;
            /**
             * When it was bought. UTC.
             * @example 2026-03-01 12:00:00
             */
            date: string;
            /**
             * How far the order is.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 1
             */
            status: "1" | "2" | "3" | "4";
            /**
             * The supplier's number of the order; empty until the supplier has answered.
             * @example wf-sandbox-1001
             */
            api_sale_id: string;
            /**
             * Our reference at the supplier; empty until the supplier has answered.
             * @example wf-sandbox-1001
             */
            api_sale_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example booking-4711
             */
            reference: string;
            /**
             * The mobile networks the eSIM uses; empty if the supplier does not say.
             * @example [
             *       "Vodafone"
             * ]
             */
            networks: string[];
            /**
             * When the days begin to count; null if unknown.
             * @example first-usage
             */
            activation_policy: string | null;
            /**
             * The data of the plan as text for people.
             * @example 1 GB
             */
            data: string;
            /**
             * How many days the plan is valid.
             * @example 7
             */
            day: string;
            /**
             * The fair-use rule in words; may be empty.
             * @example
             */
            fair_use_text: string;
            /**
             * Its destination: ISO code of a country, or the code of a region.
             * @example JP
             */
            country_code: string;
            /**
             * Address of the flag or picture of the destination.
             * @example https://esim.example.com/flags/jp.svg
             */
            country_image: string;
            /**
             * Name of the destination.
             * @example Japan
             */
            country_name: string;
            /**
             * Whether the data is unlimited.
             * @example false
             */
            is_unlimited: boolean;
            /**
             * Minutes of calls; null if none are included.
             * @example 60
             */
            voice: number | null;
            /**
             * Text messages; null if none are included.
             * @example 20
             */
            text: number | null;
            /**
             * A remark of the supplier; null if there is none.
             * @example Data only
             */
            short_info: string | null;
            /**
             * Kind of the fair-use rule; `unknown` if the supplier does not say.
             * @example none
             */
            fup_kind: string;
            /**
             * Data per day at full speed, in MB; 0 if there is no such limit.
             * @example 0
             */
            fup_daily_mb: number;
            /**
             * Speed after that, in kbit/s; 0 if there is no such limit.
             * @example 0
             */
            fup_speed_kbps: number;
            /**
             * The network operator; may be empty.
             * @example Kaigan Mobile
             */
            operator_title: string;
            /**
             * Address of its logo; may be empty.
             * @example
             */
            operator_image: string;
        };
        /** Activation data, a secret: whoever installs it first owns the line. */
        EsimProfile: {
            /**
             * The text of the QR code. Whoever installs it first owns the line.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qrcode: string | null;
            /**
             * Address of the QR code as an image. Protect it like the code itself.
             * @example https://…/qr/….svg
             */
            qrcode_url: string | null;
            /**
             * The number of the eSIM.
             * @example 8900012345678901234
             */
            iccid: string | null;
            /**
             * The server the phone downloads from; the same as `smdpAddress`.
             * @example smdp.example.com
             */
            lpa: string | null;
            /**
             * The activation code that a phone asks for beside the server.
             * @example K2-1A2B3C
             */
            matching_id: string | null;
            /**
             * The server (SM-DP+) the phone downloads from.
             * @example smdp.example.com
             */
            smdpAddress: string | null;
            /**
             * Server and matching id together, as in the QR code.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            activationCode: string | null;
            /**
             * A code that some eSIMs ask for during installation.
             * @example 1234
             */
            confirmation_code: string | null;
            /**
             * The phone number, if the eSIM has one.
             * @example +81801234567
             */
            msisdn: string | null;
            /**
             * The access point name, if it has to be typed in.
             * @example internet
             */
            apn: string | null;
            /**
             * How the access point name is set: `automatic` or `manual`.
             * @example automatic
             */
            apn_type: string | null;
            /**
             * The access point name; the same as `apn`.
             * @example internet
             */
            apn_value: string | null;
            /**
             * Whether data roaming has to be switched on.
             * @example true
             */
            is_roaming: boolean | null;
            /**
             * A page for the traveller, with the QR code and the steps to install it.
             * @example https://…/e/…
             */
            share_url: string | null;
        };
        /** What the operator of the network says. Null where it does not. */
        OperatorMeta: {
            /**
             * When the days begin to count.
             * @example first-usage
             */
            activation_policy: string | null;
            /**
             * What the plan includes.
             * @example data
             */
            plan_type: string | null;
            /**
             * Kind of the eSIM.
             * @example Prepaid
             */
            esim_type: string | null;
            /**
             * Whether data roaming has to be switched on.
             * @example true
             */
            is_roaming: boolean | null;
            /**
             * Whether the traveller has to be identified.
             * @example true
             */
            is_kyc_verify: boolean | null;
            /**
             * Whether data can be added later.
             * @example true
             */
            rechargeability: boolean | null;
            /**
             * How the access point name is set: `automatic` or `manual`.
             * @example automatic
             */
            apn_type: string | null;
            /**
             * The access point name; null if the phone finds it by itself.
             * @example internet
             */
            apn_value: string | null;
            /**
             * Remarks for the traveller.
             * @example [
             *       "No calls."
             * ]
             */
            info: string[];
            /**
             * Further remarks.
             * @example Works in taxis, too.
             */
            other_info: string | null;
            /**
             * What the traveller must know before buying.
             * @example Not for phones bought in China.
             */
            warning: string | null;
        };
        /** What became of the wish to get the price of an order back. */
        Refund: {
            /**
             * How far the refund is.
             *
             * - `requested`: The operator has to decide.
             * - `refunded`: The money went back, in whole or in part.
             * - `rejected`: The operator refused; `note` may say why.
             * @example refunded
             */
            status: "requested" | "refunded" | "rejected";
            /**
             * What was given back, in all. USD, two decimals.
             * @example 19.00
             */
            amount: string;
            /**
             * The reason you gave; may be empty.
             * @example The trip was cancelled
             */
            reason: string;
            /**
             * The operator's note; may be empty.
             * @example Half of the data was used.
             */
            note: string;
            /**
             * When it was asked for. UTC.
             * @example 2026-03-01 12:00:00
             */
            requested_at: string;
            /**
             * When it was decided; null: not yet. UTC.
             * @example 2026-03-01 12:00:00
             */
            decided_at: string | null;
        };
        /** What became of the wish not to have an order delivered. */
        Cancel: {
            /**
             * How far the cancel is.
             *
             * - `requested`: A supplier may have the order. It is not known yet whether it can be stopped.
             * - `cancelled`: The order failed, or its eSIM was handed back. The price went back.
             * - `too_late`: It was delivered, or had failed before. Nothing changed.
             * @example cancelled
             */
            status: "requested" | "cancelled" | "too_late";
            /**
             * When it was asked for. UTC.
             * @example 2026-03-01 12:00:00
             */
            requested_at: string;
            /**
             * When it was decided; null: not yet. UTC.
             * @example 2026-03-01 12:00:00
             */
            decided_at: string | null;
        };
        /** What `order/detail` answers. */
        OrderDetailAnswer: components["schemas"]["Envelope"] & {
            /** An order with what is known of its plan. */
            order: components["schemas"]["OrderDetail"];
            /** Activation data, a secret: whoever installs it first owns the line. */
            esim: components["schemas"]["EsimProfile"];
            /** What the operator of the network says. Null where it does not. */
            operator_meta: components["schemas"]["OperatorMeta"];
            /** What became of the wish to get the price of an order back. Null if there is none. */
            refund: components["schemas"]["Refund"] | null;
            /** What became of the wish not to have an order delivered. Null if there is none. */
            cancel: components["schemas"]["Cancel"] | null;
        };
        /** What is used and left of an eSIM. */
        Usage: {
            /**
             * The number of the eSIM.
             * @example 8900000000000010093
             */
            iccid: string;
            /**
             * The order that brought it.
             * @example 1009
             */
            sale_id: number;
            /**
             * Name of the plan.
             * @example Japan 1 GB, 7 days
             */
            title: string;
            /**
             * The state of the eSIM.
             *
             * - `not_active`: Not used yet; the days do not count.
             * - `active`: In use.
             * - `depleted`: All data is used.
             * - `expired`: Its time is over.
             * @example active
             */
            status: "not_active" | "active" | "depleted" | "expired";
            /**
             * How to show it.
             *
             * - `ok`: All is well.
             * - `warning`: Less than 20 % or less than 2 days are left.
             * - `danger`: Depleted or expired.
             * @example ok
             */
            tone: "ok" | "warning" | "danger";
            /**
             * Data in all, refills included, in MB.
             * @example 1024
             */
            total_mb: number;
            /**
             * Data used, in MB.
             * @example 512
             */
            used_mb: number;
            /**
             * Data left, in MB.
             * @example 512
             */
            remaining_mb: number;
            /**
             * Data left in percent, rounded down; 100 for unlimited plans.
             * @example 50
             */
            percent_remaining: number;
            /**
             * Whether the data is unlimited.
             * @example false
             */
            is_unlimited: boolean;
            /**
             * The fair-use rule in words; may be empty.
             * @example
             */
            fair_use_text: string;
            /**
             * When it was first used; null: not yet. UTC.
             * @example 2026-03-01 12:00:00
             */
            activated_at: string | null;
            /**
             * When it ends; null: not known yet. UTC.
             * @example 2026-03-01 12:00:00
             */
            expires_at: string | null;
            /**
             * Days until it ends, rounded up; null: not known yet.
             * @example 3
             */
            days_left: number | null;
            /**
             * When these figures were read. UTC.
             * @example 2026-03-01 12:00:00
             */
            fetched_at: string;
        };
        /** What `order/usage` answers. */
        OrderUsageAnswer: components["schemas"]["Envelope"] & {
            /** What is used and left of an eSIM. */
            usage: components["schemas"]["Usage"];
        };
        /** What `order/refund` answers. */
        OrderRefundAnswer: components["schemas"]["Envelope"] & {
            /** What became of the wish to get the price of an order back. */
            refund: components["schemas"]["Refund"];
        };
        /** What `order/cancel` answers. */
        OrderCancelAnswer: components["schemas"]["Envelope"] & {
            /** What became of the wish not to have an order delivered. */
            cancel: components["schemas"]["Cancel"];
        };
        /** What `account/balance` answers. */
        AccountBalanceAnswer: components["schemas"]["Envelope"] & {
            /**
             * What the wallet can spend now, in USD.
             * @example 1000
             */
            balance: number;
        };
        /** One movement of the wallet. */
        Movement: {
            /**
             * The number of the movement.
             * @example 3
             */
            id: number;
            /**
             * What moved the money.
             *
             * - `topup`: Money came in: a card payment, or a bank transfer the operator recorded.
             * - `purchase`: An order was paid.
             * - `refund`: The price of an order, or a part of it, came back.
             * - `adjust`: The operator corrected the balance, or a card payment was returned.
             * - `promo`: The operator gave promotional money.
             * - `profit_share`: A share of the cost of unused data was paid, or taken back after a refund.
             * @example profit_share
             */
            type: "topup" | "purchase" | "refund" | "adjust" | "promo" | "profit_share";
            /**
             * What it changed, in USD: negative if money left the wallet.
             * @example 2
             */
            amount: number;
            /**
             * The balance it left, in USD.
             * @example 1497.74
             */
            balance_after: number;
            /**
             * The order it belongs to; null if it belongs to none.
             * @example 1002
             */
            order_id: number | null;
            /**
             * Your own reference of the order it belongs to; may be empty.
             * @example
             */
            reference: string;
            /**
             * The plan that order bought; empty if it belongs to none.
             * @example France 5 GB
             */
            product_title: string;
            /**
             * A note for people; may be empty.
             * @example unused data of order 1002
             */
            note: string;
            /**
             * When it happened. UTC.
             * @example 2026-03-01 12:00:00
             */
            date: string;
        };
        /** The wallet in its parts, in USD. */
        Balances: {
            /**
             * What can be spent: `promo` and `cash` together.
             * @example 1497.74
             */
            balance: number;
            /**
             * Promotional money. A purchase takes it first.
             * @example 0
             */
            promo: number;
            /**
             * Money that was paid in.
             * @example 1497.74
             */
            cash: number;
            /**
             * What an account on invoice terms owes.
             * @example 0
             */
            debt: number;
        };
        /** What `account/history` answers. */
        AccountHistoryAnswer: components["schemas"]["Envelope"] & {
            /** The movements, newest first. */
            ledger: components["schemas"]["Movement"][];
            /**
             * What the wallet can spend now, in USD.
             * @example 1497.74
             */
            balance: number;
            /** The wallet in its parts, in USD. */
            balances: components["schemas"]["Balances"];
            /**
             * Whether older movements follow.
             * @example false
             */
            has_more: boolean;
            /**
             * Only if the page asked for lies so far back that it was not reached in time: the number of the page that is shown instead.
             * @example 20001
             */
            start?: number;
        };
        /** One movement of the debt. */
        StatementLine: {
            /**
             * The number of the movement.
             * @example 7
             */
            id: number;
            /**
             * What moved the debt.
             *
             * - `charge`: An order was put on the account.
             * - `payment`: You paid an invoice.
             * - `adjust`: The operator corrected the debt.
             * - `refund`: The price of an order, or a part of it, was taken off.
             * - `profit_share`: A share of the cost of unused data lowered the debt, or was taken back after a refund.
             * @example charge
             */
            type: "charge" | "payment" | "adjust" | "refund" | "profit_share";
            /**
             * What it changed, in USD, two decimals: a charge is positive, a payment negative.
             * @example 24.50
             */
            amount: string;
            /**
             * The debt it left, in USD, two decimals.
             * @example 24.50
             */
            balance_after: string;
            /**
             * Your own reference of the order it belongs to; may be empty.
             * @example
             */
            reference: string;
            /**
             * The plan that order bought; empty if it belongs to none.
             * @example France 5 GB
             */
            product_title: string;
            /**
             * A note for people; may be empty.
             * @example
             */
            note: string;
            /**
             * When it happened. UTC.
             * @example 2026-03-01 12:00:00
             */
            date: string;
        };
        /** What `account/statement` answers. */
        AccountStatementAnswer: components["schemas"]["Envelope"] & {
            /**
             * How the account pays.
             *
             * - `prepaid`: From the wallet, at once.
             * - `postpaid`: On invoice terms: the price is added to the debt.
             * @example postpaid
             */
            billing_mode: "prepaid" | "postpaid";
            /**
             * How far the account can go into debt, in USD, two decimals.
             * @example 500.00
             */
            credit_limit: string;
            /**
             * The debt now, in USD, two decimals.
             * @example 24.50
             */
            outstanding: string;
            /**
             * The credit limit minus the debt; may be negative.
             * @example 475.50
             */
            available: string;
            /**
             * Whether your account earns a revenue share.
             * @example 0
             */
            profit_share_enabled: 0 | 1;
            /**
             * 1: active. 2: suspended, purchases are refused.
             * @example 1
             */
            status: number;
            /**
             * The currency of all amounts.
             * @example USD
             */
            currency: "USD";
            /** The movements, newest first. */
            ledger: components["schemas"]["StatementLine"][];
            /**
             * How many are on this page.
             * @example 1
             */
            count: number;
            /**
             * Only if the page asked for lies so far back that it was not reached in time: the number of the page that is shown instead.
             * @example 20001
             */
            start?: number;
            /**
             * Whether older movements follow.
             * @example false
             */
            has_more: boolean;
        };
        /** Your share of the cost of the data that one sale left unused. */
        RevenueShare: {
            /**
             * The number of the share.
             * @example 1
             */
            id: number;
            /**
             * The order it was earned with; the same as `order_id`.
             * @example 1002
             */
            sale_id: number;
            /**
             * The order it was earned with.
             * @example 1002
             */
            order_id: number;
            /**
             * The eSIM of the order.
             * @example 8900028357389675704
             */
            iccid: string;
            /**
             * The plan that was sold.
             * @example France 5 GB
             */
            product_title: string;
            /**
             * The data of the plan, in MB.
             * @example 5120
             */
            plan_mb: number;
            /**
             * What was used of it, in MB.
             * @example 3072
             */
            used_mb: number;
            /**
             * What was left, in MB.
             * @example 2048
             */
            unused_mb: number;
            /**
             * The cost of one MB, in USD, six decimals.
             * @example 0.001953
             */
            unit_cost: string;
            /**
             * The cost of the unused data, in USD, six decimals.
             * @example 4.000000
             */
            unused_cost: string;
            /**
             * Your rate in percent, as it was when the share was calculated.
             * @example 50.00
             */
            share_pct: string;
            /**
             * Your share, in USD, two decimals.
             * @example 2.00
             */
            amount: string;
            /**
             * Where the money went.
             *
             * - empty: Nowhere yet.
             * - `wallet`: Into the wallet.
             * - `debt`: It lowered the debt.
             * - `split`: It paid off the debt; the rest went into the wallet.
             * - `none`: The share rounds to zero.
             * @example wallet
             */
            channel: "" | "wallet" | "debt" | "split" | "none";
            /**
             * The part that lowered the debt, in USD.
             * @example 0.00
             */
            settle_debt: string;
            /**
             * The part that went into the wallet, in USD.
             * @example 2.00
             */
            settle_wallet: string;
            /**
             * Whether the money has moved.
             *
             * - `shadow`: Calculated; no money has moved.
             * - `settled`: Settled: `channel` says where the money went.
             * @example settled
             */
            status: "shadow" | "settled";
            /**
             * 1: the cap on the total share reduced the amount.
             * @example 0
             */
            capped: 0 | 1;
            /**
             * When it was calculated. UTC.
             * @example 2026-03-01 12:00:00
             */
            date: string;
            /**
             * When the money moved; null: not yet. UTC.
             * @example 2026-03-01 12:00:00
             */
            settled_at: string | null;
        };
        /** What `account/profitshare` answers. */
        AccountProfitshareAnswer: components["schemas"]["Envelope"] & {
            /**
             * Whether your account earns a revenue share.
             * @example 1
             */
            profit_share_enabled: 0 | 1;
            /** The shares, newest first. */
            items: components["schemas"]["RevenueShare"][];
            /**
             * How many are on this page.
             * @example 1
             */
            count: number;
            /**
             * Your shares on all pages together, in USD, two decimals.
             * @example 2.00
             */
            total_share: string;
            /**
             * The unused data on all pages together, in MB.
             * @example 2048
             */
            total_unused_mb: number;
            /**
             * The currency of all amounts.
             * @example USD
             */
            currency: "USD";
            /**
             * Only if the page asked for lies so far back that it was not reached in time: the number of the page that is shown instead.
             * @example 20001
             */
            start?: number;
            /**
             * Only beside `start`: whether older rows follow.
             * @example true
             */
            has_more?: boolean;
        };
        /** How your prices come about. */
        Pricing: {
            /**
             * The part of the margin that becomes your discount, in percent, after tier and cap.
             * @example 0
             */
            margin_share_pct: number;
            /**
             * What decides that share.
             *
             * - `default`: The share every account starts with.
             * - `tier`: The tier that your top-ups have reached.
             * - `account`: A share agreed for your account. Tiers do not apply.
             * @example default
             */
            margin_share_source: "default" | "tier" | "account";
            /** The tier that the top-ups of the last days have reached. */
            tier?: components["schemas"]["ShareTier"];
            /**
             * The largest part of the margin of one product that can go to you, discount and revenue share together.
             * @example 60
             */
            total_share_cap_pct: number;
            /**
             * How many price rules apply to you.
             * @example 0
             */
            active_rule_count: number;
            /**
             * Measured over the catalog; 0 is no discount, null could not be measured.
             * @example 0
             */
            average_discount_pct: number | null;
            /**
             * Whether an average could be measured.
             * @example true
             */
            is_average: boolean;
            /**
             * How many plans were measured.
             * @example 3
             */
            sample_size: number;
            /**
             * Which plans were measured.
             * @example catalog
             */
            sample_scope: string;
            /**
             * The currency of all amounts.
             * @example USD
             */
            currency: "USD";
        };
        /** The tier that the top-ups of the last days have reached. */
        ShareTier: {
            /**
             * How many days of top-ups count.
             * @example 90
             */
            window_days: number;
            /**
             * What was topped up within these days, in USD.
             * @example 0
             */
            topup_usd: number;
            /**
             * The share of the tier reached, in percent; 0 if none is.
             * @example 0
             */
            current_pct: number;
            /**
             * The top-ups the next tier needs, in USD; null on the highest.
             * @example 5000
             */
            next_min_usd: number | null;
            /**
             * The share of the next tier, in percent; null on the highest.
             * @example 15
             */
            next_pct: number | null;
        };
        /** What `account/pricing` answers. */
        AccountPricingAnswer: components["schemas"]["Envelope"] & {
            /** How your prices come about. */
            pricing: components["schemas"]["Pricing"];
        };
        /** What `account/topup` answers. */
        AccountTopupAnswer: components["schemas"]["Envelope"] & {
            /**
             * The payment; the same as `payment_key`.
             * @example sbx_topup_6c748a1f9b4016a2ee4d27ef186c7ace
             */
            id: string;
            /**
             * For the payment provider's own client SDK.
             * @example sbx_secret_8a7c3c3672c8b2632469352dd5f0b518
             */
            client_secret: string;
            /**
             * Send it to `account/topupConfirm` once paid.
             * @example sbx_topup_6c748a1f9b4016a2ee4d27ef186c7ace
             */
            payment_key: string;
            /**
             * What the payment waits for.
             *
             * - `requires_payment`: Pay with the client secret, then confirm.
             * - `requires_confirmation`: Nothing is left to pay: confirm.
             * @example requires_confirmation
             */
            status: "requires_payment" | "requires_confirmation";
            /**
             * What will be credited, in USD.
             * @example 50
             */
            amount: number;
            /**
             * Always `USD`.
             * @example USD
             */
            currency: string;
            /**
             * Who takes the payment: `stripe`, or a simulated provider.
             * @example sandbox
             */
            provider: string;
            /**
             * Together with the client secret, it completes the payment in a page of your own; null if there is none.
             * @example pk_live_51N…
             */
            publishable_key: string | null;
        };
        /** What `account/topupConfirm` answers. */
        AccountTopupConfirmAnswer: components["schemas"]["Envelope"] & {
            /**
             * What became of the payment.
             *
             * - `succeeded`: The wallet has the money.
             * - `processing`: The payment provider has not finished. Ask again later.
             * @example succeeded
             */
            status: "succeeded" | "processing";
            /**
             * What the wallet can spend now, in USD.
             * @example 150
             */
            balance: number;
        };
        /** What `account/sandboxBalance` answers. */
        AccountSandboxBalanceAnswer: components["schemas"]["Envelope"] & {
            /**
             * The balance now, in USD.
             * @example 100
             */
            balance: number;
            /**
             * The balance before, in USD.
             * @example 1000
             */
            previous_balance: number;
        };
        /** What `account/sandboxReset` answers. */
        AccountSandboxResetAnswer: components["schemas"]["Envelope"] & {
            /**
             * How many orders were deleted, failed ones included.
             * @example 14
             */
            deleted_orders: number;
            /**
             * The opening balance, in USD.
             * @example 1000
             */
            balance: number;
        };
        /** An address that receives events. */
        Subscription: {
            /**
             * The number of the subscription.
             * @example 2
             */
            id: string;
            /**
             * The address events are sent to.
             * @example https://shop.example.com/hook
             */
            url: string;
            /**
             * The end of the signing secret. The secret itself is shown once, when it is made.
             * @example whsec_********da99
             */
            secret_mask: string;
            /**
             * The events it receives.
             * @example [
             *       "order.created",
             *       "order.paid",
             *       "order.delivered",
             *       "order.deferred",
             *       "order.failed",
             *       "order.test",
             *       "order.refunded",
             *       "order.refund_requested",
             *       "order.refund_rejected",
             *       "esim.activated",
             *       "esim.usage_high",
             *       "esim.depleted",
             *       "esim.expiring",
             *       "esim.expired",
             *       "account.balance_low",
             *       "topup.succeeded"
             * ]
             */
            events_list: ("order.created" | "order.paid" | "order.delivered" | "order.deferred" | "order.failed" | "order.test" | "order.refunded" | "order.refund_requested" | "order.refund_rejected" | "esim.activated" | "esim.usage_high" | "esim.depleted" | "esim.expiring" | "esim.expired" | "account.balance_low" | "topup.succeeded")[];
            /**
             * Whether it receives events.
             *
             * - `1`: Active.
             * - `2`: Paused: deliveries wait.
             * - `3`: Disabled after ten failures in a row: deliveries wait. It is tried again by itself, and the first success makes it active.
             * @example 1
             */
            status: "1" | "2" | "3";
            /**
             * Failed attempts since the last success, up to ten. Attempts that overlap in time count once.
             * @example 0
             */
            fail_count: string;
            /**
             * When it was created. UTC.
             * @example 2026-03-01 12:00:00
             */
            date: string;
            /**
             * When it last changed. UTC.
             * @example 2026-03-01 12:00:00
             */
            updated_at: string;
        };
        /** What `webhook/list` answers. */
        WebhookListAnswer: components["schemas"]["Envelope"] & {
            /**
             * How many there are.
             * @example 1
             */
            count: number;
            /**
             * The contract's events.
             * @example [
             *       "order.created",
             *       "order.paid",
             *       "order.delivered",
             *       "order.deferred",
             *       "order.failed",
             *       "order.test"
             * ]
             */
            events: string[];
            /** The subscriptions. */
            subscriptions: components["schemas"]["Subscription"][];
        };
        /** The latest deliveries. */
        DeliveryList: {
            /**
             * How many this answer has.
             * @example 1
             */
            count: number;
            /**
             * The limit that was applied.
             * @example 1
             */
            limit: number;
            /**
             * Every status there is, for `status`.
             * @example [
             *       "pending",
             *       "sent",
             *       "failed",
             *       "dead"
             * ]
             */
            statuses: string[];
            /**
             * The contract's events, for `event`.
             * @example [
             *       "order.created",
             *       "order.paid",
             *       "order.delivered",
             *       "order.deferred",
             *       "order.failed",
             *       "order.test"
             * ]
             */
            events: string[];
            /** The deliveries, newest first. */
            deliveries: components["schemas"]["Delivery"][];
        };
        /** One event on its way to one subscription. */
        Delivery: {
            /**
             * The number of the delivery.
             * @example 96
             */
            id: string;
            /**
             * The subscription it goes to.
             * @example 2
             */
            subscription_id: string;
            /**
             * The event. Receivers recognise a repetition by it.
             * @example sbx_order.delivered:1014:1
             */
            event_id: string;
            /**
             * What happened.
             *
             * - `order.created`: An order was made. It is not paid yet.
             * - `order.paid`: The order was paid. Its eSIM is not ready yet.
             * - `order.delivered`: The eSIM is ready, with its ICCID and QR code.
             * - `order.deferred`: The eSIM takes longer. Another event follows when the order is delivered or fails.
             * - `order.failed`: The order will not be delivered.
             * - `order.test`: You asked for a test event.
             * - `order.refunded`: Money for an order went back to you, in whole or in part.
             * - `order.refund_requested`: A refund was asked for, and the operator has to decide.
             * - `order.refund_rejected`: The operator refused a refund; the note may say why.
             * - `esim.activated`: The first usage or the activation of an eSIM was seen.
             * - `esim.usage_high`: 80 % of an eSIM’s data is used.
             * - `esim.depleted`: All data of an eSIM is used.
             * - `esim.expiring`: An activated eSIM ends within 24 hours.
             * - `esim.expired`: An eSIM has ended.
             * - `account.balance_low`: What you can spend has fallen below your alert level.
             * - `topup.succeeded`: A card payment was credited to your wallet.
             * @example order.delivered
             */
            event_type: "order.created" | "order.paid" | "order.delivered" | "order.deferred" | "order.failed" | "order.test" | "order.refunded" | "order.refund_requested" | "order.refund_rejected" | "esim.activated" | "esim.usage_high" | "esim.depleted" | "esim.expiring" | "esim.expired" | "account.balance_low" | "topup.succeeded";
            /**
             * The order it is about; 0 if it is about none.
             * @example 1014
             */
            sale_id: string;
            /**
             * How far the delivery is.
             *
             * - `pending`: Not tried yet.
             * - `sent`: The receiver answered with a 2xx.
             * - `failed`: Tried, and will be retried.
             * - `dead`: Given up. The operator can send it again.
             * @example sent
             */
            status: "pending" | "sent" | "failed" | "dead";
            /**
             * Waits because its subscription is paused or disabled.
             * @example true
             */
            held?: true;
            /**
             * How often it was tried, without tries of a disabled subscription.
             * @example 1
             */
            attempts: string;
            /**
             * How often it is tried at most.
             * @example 5
             */
            max_attempts: string;
            /**
             * The status of the last answer; empty if there was none.
             * @example 200
             */
            http_code: string;
            /**
             * How long the last attempt took, in ms; empty: not tried.
             * @example 87
             */
            duration_ms: string;
            /**
             * The beginning of the last answer.
             * @example ok
             */
            response_body: string;
            /**
             * Why the last attempt got no answer; may be empty.
             * @example timeout
             */
            error: string;
            /**
             * When it was delivered; null: not yet. UTC.
             * @example 2026-03-01 12:00:00
             */
            sent_at: string | null;
            /**
             * When the event happened. UTC.
             * @example 2026-03-01 12:00:00
             */
            date: string;
        };
        /** One delivery with its body. */
        DeliveryDetail: {
            /** One event on its way to one subscription. */
            delivery: components["schemas"]["Delivery"];
            /**
             * Exactly what was signed and sent; empty once it was pruned.
             * @example {"event":"order.delivered","event_id":"sbx_order.delivered:1014:1","order_id":1014,"status":"1","delivery":"delivered","delivery_reason":"","iccid":"8900000000000010143","qr_code":"LPA:1$sandbox.invalid$SANDBOX-1014","occurred_at":"2026-03-01T12:00:02+00:00","reference":"","livemode":false}
             */
            payload: string;
            /**
             * Whether the body is gone. Bodies are kept for 30 days.
             * @example false
             */
            payload_pruned: boolean;
            /**
             * How the signature is made, in words.
             * @example X-Signature = 'sha256=' + hex(HMAC-SHA256(secret, X-Webhook-Timestamp + '.' + raw body)); compare in constant time and refuse timestamps more than 300 seconds from your clock.
             */
            signature_rule: string;
        };
        /** What `webhook/deliveries` answers. */
        WebhookDeliveriesAnswer: (components["schemas"]["Envelope"] & components["schemas"]["DeliveryList"]) | (components["schemas"]["Envelope"] & components["schemas"]["DeliveryDetail"]);
        /** What `webhook/test` answers. */
        WebhookTestAnswer: components["schemas"]["Envelope"] & {
            /**
             * How many deliveries were queued.
             * @example 1
             */
            queued: number;
            /**
             * The event.
             * @example order.test
             */
            event: "order.test";
            /**
             * The event. All deliveries of this call have it in common.
             * @example sbx_order.test:0:1
             */
            event_id: string;
            /**
             * The deliveries, to look up in `webhook/deliveries`.
             * @example [
             *       "98"
             * ]
             */
            delivery_ids: string[];
        };
        /** What `webhook/probe` answers. */
        WebhookProbeAnswer: components["schemas"]["Envelope"] & {
            /**
             * Whether a request was sent.
             * @example true
             */
            request_sent: boolean;
            /**
             * Nothing is recorded.
             * @example false
             */
            saved: false;
            /**
             * The address that was called.
             * @example https://shop.example.com/hook
             */
            url: string;
            /**
             * The event that was simulated.
             *
             * - `order.created`: An order was made. It is not paid yet.
             * - `order.paid`: The order was paid. Its eSIM is not ready yet.
             * - `order.delivered`: The eSIM is ready, with its ICCID and QR code.
             * - `order.deferred`: The eSIM takes longer. Another event follows when the order is delivered or fails.
             * - `order.failed`: The order will not be delivered.
             * - `order.test`: You asked for a test event.
             * - `order.refunded`: Money for an order went back to you, in whole or in part.
             * - `order.refund_requested`: A refund was asked for, and the operator has to decide.
             * - `order.refund_rejected`: The operator refused a refund; the note may say why.
             * - `esim.activated`: The first usage or the activation of an eSIM was seen.
             * - `esim.usage_high`: 80 % of an eSIM’s data is used.
             * - `esim.depleted`: All data of an eSIM is used.
             * - `esim.expiring`: An activated eSIM ends within 24 hours.
             * - `esim.expired`: An eSIM has ended.
             * - `account.balance_low`: What you can spend has fallen below your alert level.
             * - `topup.succeeded`: A card payment was credited to your wallet.
             * @example order.delivered
             */
            event: "order.created" | "order.paid" | "order.delivered" | "order.deferred" | "order.failed" | "order.test" | "order.refunded" | "order.refund_requested" | "order.refund_rejected" | "esim.activated" | "esim.usage_high" | "esim.depleted" | "esim.expiring" | "esim.expired" | "account.balance_low" | "topup.succeeded";
            /**
             * The `event_id` of the body. It belongs to no order.
             * @example sbx_order.delivered:0:0
             */
            event_id: string;
            /**
             * What the receiver answered; null if it did not.
             * @example 200
             */
            http_status: number | null;
            /**
             * Whether the receiver answered with a 2xx.
             * @example true
             */
            accepted: boolean;
            /**
             * How long it took, in ms.
             * @example 1
             */
            duration_ms: number;
            /**
             * The first 1000 characters of the answer.
             * @example answered 200
             */
            response_body: string;
            /**
             * The transport error; empty when the receiver answered.
             * @example connect ECONNREFUSED
             */
            error: string;
            /**
             * The body, exactly as it was signed.
             * @example {"event":"order.delivered","event_id":"sbx_order.delivered:0:0","order_id":0,"status":"1","delivery":"delivered","delivery_reason":"","iccid":"","qr_code":"","occurred_at":"2026-03-01T12:00:02+00:00","reference":"","note":"Probe: it describes no order.","livemode":false}
             */
            payload: string;
            /**
             * The Unix time that was signed.
             * @example 1772366402
             */
            timestamp: number;
            /**
             * The `X-Signature` that was sent.
             * @example sha256=85f2662b6116b30276ccd13c5f3dbf3ee79ef0fa2d7094377ccca634877dcf7f
             */
            signature: string;
            /**
             * The secret of this call. It is not your subscription's.
             * @example whsec_82aaa2a8305412526e1fa8f96f918489bee23526bd02892e3bbe04e3282cae09
             */
            probe_secret: string;
            /**
             * How the signature is made, in words.
             * @example X-Signature = 'sha256=' + hex(HMAC-SHA256(secret, X-Webhook-Timestamp + '.' + raw body)); compare in constant time and refuse timestamps more than 300 seconds from your clock.
             */
            signature_rule: string;
        };
        /** What `purchase/quote` answers. */
        PurchaseQuoteAnswer: components["schemas"]["Envelope"] & {
            /**
             * The product.
             * @example esc_a824389a0b4a3db0
             */
            product_id: string;
            /**
             * Name of the plan.
             * @example Japan 1 GB, 7 days
             */
            product_title: string;
            /**
             * List price in USD.
             * @example 4.5
             */
            list_price: number;
            /**
             * What you would pay, in USD.
             * @example 4.5
             */
            partner_price: number;
            /**
             * List price minus your price, in USD.
             * @example 0
             */
            discount: number;
            /**
             * Which price rule won: the most specific one that applies.
             *
             * - `product`: A fixed price for this product.
             * - `provider`: A share for all plans of its supplier.
             * - `country`: A share for its country.
             * - `region`: A share for its region.
             * - `account_default`: Your account's own share.
             * - `none`: No rule: your price is the list price.
             * @example none
             */
            source: "product" | "provider" | "country" | "region" | "account_default" | "none";
            /**
             * How the account pays.
             *
             * - `prepaid`: From the wallet, at once.
             * - `postpaid`: On invoice terms: the price is added to the debt.
             * @example prepaid
             */
            billing_mode: "prepaid" | "postpaid";
            /**
             * What can be spent now: the balance, or the credit limit minus the debt.
             * @example 1000
             */
            available: number;
            /**
             * Whether a purchase would go through now.
             * @example true
             */
            can_buy: boolean;
            /**
             * The error a purchase would be refused with now; empty when it would go through.
             * @example insufficient_balance
             */
            blocked_by: string;
        };
        /** What `purchase/refill` answers. */
        PurchaseRefillAnswer: components["schemas"]["Envelope"] & {
            /**
             * The number of the order, as text.
             * @example 1007
             */
            id: string;
            /**
             * The number of the order.
             * @example 1007
             */
            order_id: number;
            /**
             * How the account pays.
             *
             * - `prepaid`: From the wallet, at once.
             * - `postpaid`: On invoice terms: the price is added to the debt.
             * @example prepaid
             */
            billing_mode: "prepaid" | "postpaid";
            /**
             * What the wallet can spend now, in USD. It does not change on invoice terms.
             * @example 105
             */
            balance: number;
            /**
             * What became of the purchase.
             *
             * - `delivered`: The eSIM exists.
             * - `deferred`: Paid and on its way. Do not buy again.
             * - `failed`: It will not be delivered, and nothing is charged.
             * @example delivered
             */
            delivery: "delivered" | "deferred" | "failed";
            /**
             * Why it is deferred (`awaiting_profile`, `provider_unavailable`) or failed (`insufficient_balance`, `credit_limit_exceeded`, `credit_charge_failed`, `provider_rejected`, `sandbox_scenario`); empty if delivered.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * How far the supplier is.
             *
             * - `completed`: Delivered.
             * - `queued`: Deferred: we keep asking.
             * - `none`: Failed: there is nothing to wait for.
             * @example completed
             */
            provision: "completed" | "queued" | "none";
            /** The order as it was recorded. */
            order: components["schemas"]["PurchasedOrder"];
            /**
             * `sandbox_queue_full`: too many sandbox deliveries are waiting, so the order sends no events.
             * @example [
             *       "sandbox_queue_full"
             * ]
             */
            warnings?: string[];
            /**
             * The eSIM that was refilled.
             * @example 8900000000000010010
             */
            iccid: string;
        };
        /** What `purchase/batch` answers. */
        PurchaseBatchAnswer: components["schemas"]["Envelope"] & {
            /**
             * The number of the batch.
             * @example 1004
             */
            batch_id: number;
            /** One order for each eSIM, in the order of the items. Failed ones are among them. */
            orders: components["schemas"]["Order"][];
            /**
             * How many orders.
             * @example 3
             */
            count: number;
            /**
             * What was charged for all of them when they were bought, in USD.
             * @example 28
             */
            charged: number;
            /**
             * `sandbox_queue_full`: too many sandbox deliveries are waiting, so the order sends no events.
             * @example [
             *       "sandbox_queue_full"
             * ]
             */
            warnings?: string[];
        };
        /** What `purchase/batch/{id}` answers. */
        PurchaseBatchByIdAnswer: components["schemas"]["Envelope"] & {
            /**
             * The number of the batch.
             * @example 1004
             */
            batch_id: number;
            /** One order for each eSIM, in the order of the items. Failed ones are among them. */
            orders: components["schemas"]["Order"][];
            /**
             * How many orders.
             * @example 3
             */
            count: number;
            /**
             * What was charged for all of them when they were bought, in USD.
             * @example 28
             */
            charged: number;
            /**
             * How many orders are delivered.
             * @example 3
             */
            delivered: number;
            /**
             * How many are paid and on their way.
             * @example 0
             */
            deferred: number;
            /**
             * How many failed. What they cost went back.
             * @example 0
             */
            failed: number;
        };
        /** An eSIM with the figures of its last usage reading. */
        Esim: {
            /**
             * The number of the eSIM.
             * @example 8900000000000010119
             */
            iccid: string;
            /**
             * The order that brought it.
             * @example 1011
             */
            order_id: number;
            /**
             * Your own reference of that order; empty if you gave none.
             * @example
             */
            reference: string;
            /**
             * The product that was bought.
             * @example esc_a824389a0b4a3db0
             */
            product_id: string;
            /**
             * Name of the plan.
             * @example Japan 1 GB, 7 days
             */
            product_title: string;
            /**
             * Its destination: ISO code of a country, or the code of a region.
             * @example JP
             */
            country_code: string;
            /**
             * Name of the destination.
             * @example Japan
             */
            country_name: string;
            /**
             * The state of the eSIM.
             *
             * - `not_active`: Not used yet; the days do not count.
             * - `active`: In use.
             * - `depleted`: All data is used.
             * - `expired`: Its time is over.
             * - `cancelled`: Withdrawn at its supplier after a refund.
             * @example expired
             */
            state: "not_active" | "active" | "depleted" | "expired" | "cancelled";
            /**
             * Data in all, refills included, in MB.
             * @example 1024
             */
            total_mb: number;
            /**
             * Data used, in MB; 0 before the first reading.
             * @example 512
             */
            used_mb: number;
            /**
             * When it was first used; null: not yet. UTC.
             * @example 2026-03-01 12:00:00
             */
            activated_at: string | null;
            /**
             * When it ends; null: not known yet. UTC.
             * @example 2026-03-01 12:00:00
             */
            expires_at: string | null;
            /**
             * When these figures were read; null: never. UTC.
             * @example 2026-03-01 12:00:00
             */
            fetched_at: string | null;
            /**
             * How many refills it got.
             * @example 0
             */
            refills: number;
            /**
             * A page for the traveller. Empty if it was revoked.
             * @example https://esim.example.com/e/wft_sandbox-1011-0-f8K49ytQiFN8a16CmS0wOvWfWI5Atvh7Vx-I1mPUiOA
             */
            share_url: string;
        };
        /** What `esim/list` answers. */
        EsimListAnswer: components["schemas"]["Envelope"] & {
            /** The eSIMs, newest first. */
            esims: components["schemas"]["Esim"][];
            /**
             * How many this answer has.
             * @example 2
             */
            count: number;
            /**
             * Whether there are older ones.
             * @example true
             */
            has_more: boolean;
        };
        /** Activation data and state of an eSIM. A secret. */
        EsimDetail: {
            /**
             * The text of the QR code. Whoever installs it first owns the line.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qrcode: string | null;
            /**
             * Address of the QR code as an image. Protect it like the code itself.
             * @example https://…/qr/….svg
             */
            qrcode_url: string | null;
            /**
             * The number of the eSIM.
             * @example 8900012345678901234
             */
            iccid: string | null;
            /**
             * The server the phone downloads from; the same as `smdpAddress`.
             * @example smdp.example.com
             */
            lpa: string | null;
            /**
             * The activation code that a phone asks for beside the server.
             * @example K2-1A2B3C
             */
            matching_id: string | null;
            /**
             * The server (SM-DP+) the phone downloads from.
             * @example smdp.example.com
             */
            smdpAddress: string | null;
            /**
             * Server and matching id together, as in the QR code.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            activationCode: string | null;
            /**
             * A code that some eSIMs ask for during installation.
             * @example 1234
             */
            confirmation_code: string | null;
            /**
             * The phone number, if the eSIM has one.
             * @example +81801234567
             */
            msisdn: string | null;
            /**
             * The access point name, if it has to be typed in.
             * @example internet
             */
            apn: string | null;
            /**
             * How the access point name is set: `automatic` or `manual`.
             * @example automatic
             */
            apn_type: string | null;
            /**
             * The access point name; the same as `apn`.
             * @example internet
             */
            apn_value: string | null;
            /**
             * Whether data roaming has to be switched on.
             * @example true
             */
            is_roaming: boolean | null;
            /**
             * The state of the eSIM.
             *
             * - `not_active`: Not used yet; the days do not count.
             * - `active`: In use.
             * - `depleted`: All data is used.
             * - `expired`: Its time is over.
             * - `cancelled`: Withdrawn at its supplier after a refund.
             * @example active
             */
            state: "not_active" | "active" | "depleted" | "expired" | "cancelled";
            /**
             * A page for the traveller. Empty if it was revoked.
             * @example https://esim.example.com/e/wft_sandbox-1009-0-mtmoq3s3HiGjEbUVhe632mhePoZKwnJPYAmjcuEZli8
             */
            share_url: string;
        };
        /** An order that paid for an eSIM: the first one, or a refill. */
        EsimOrder: {
            /**
             * The number of the order.
             * @example 1009
             */
            order_id: number;
            /**
             * What was bought.
             *
             * - `esim`: A plan with a new eSIM.
             * - `refill`: Data and days for an eSIM that exists.
             * @example esim
             */
            product_type: "esim" | "refill";
            /**
             * The product that was bought.
             * @example esc_a824389a0b4a3db0
             */
            product_id: string;
            /**
             * Name of the plan.
             * @example Japan 1 GB, 7 days
             */
            product_title: string;
            /**
             * What you were charged. USD, two decimals.
             * @example 4.50
             */
            sale_price: string;
            /**
             * How far the order is.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 1
             */
            status: "1" | "2" | "3" | "4";
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /**
             * When it was bought. UTC.
             * @example 2026-03-01 12:00:00
             */
            date: string;
        };
        /** Links that start the installation on the phone itself. A secret. */
        InstallLinks: {
            /**
             * For an iPhone with iOS 17.4 or later.
             * @example https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1009
             */
            apple_url: string;
            /**
             * For an Android phone that knows such links.
             * @example https://esimsetup.android.com/esim_qrcode_provisioning?carddata=LPA:1$sandbox.invalid$SANDBOX-1009
             */
            android_url: string;
            /** The steps of the traveller's page, for a page or a mail of your own. */
            steps: components["schemas"]["InstallSteps"];
        };
        /** The steps of the traveller's page, for a page or a mail of your own. */
        InstallSteps: {
            /**
             * The language of the texts.
             * @example en
             */
            lang: "en" | "de" | "fr" | "es" | "it" | "pt" | "tr" | "ar" | "ja" | "zh";
            /**
             * What to do on an iPhone, in this order.
             * @example [
             *       "Open Settings."
             * ]
             */
            iphone: string[];
            /**
             * What to do on an Android phone, in this order.
             * @example [
             *       "Open Settings."
             * ]
             */
            android: string[];
        };
        /** What `esim/detail` answers. */
        EsimDetailAnswer: components["schemas"]["Envelope"] & {
            /** Activation data and state of an eSIM. A secret. */
            esim: components["schemas"]["EsimDetail"];
            /** What is used and left of an eSIM. Null if there is none. */
            usage: components["schemas"]["Usage"] | null;
            /** The first order and every delivered refill, newest first. */
            orders: components["schemas"]["EsimOrder"][];
            /** Links that start the installation on the phone itself. A secret. */
            install: components["schemas"]["InstallLinks"];
        };
        /** What `esim/refills` answers. */
        EsimRefillsAnswer: components["schemas"]["Envelope"] & {
            /**
             * The number of the eSIM.
             * @example 8900000000000010010
             */
            iccid: string;
            /**
             * Whether anything can be added to it now.
             * @example true
             */
            refillable: boolean;
            /** The plans that can be added, cheapest first by your price. */
            products: components["schemas"]["Product"][];
            /**
             * How many there are.
             * @example 1
             */
            count: number;
        };
        /** What `webhook/create` answers. */
        WebhookCreateAnswer: components["schemas"]["Envelope"] & {
            /** An address that receives events. */
            subscription: components["schemas"]["Subscription"];
            /**
             * What its events are signed with. It is not shown again.
             * @example whsec_4bb9721fc9dc4cc75e6f727b6454ba03e1e8f5e7d6529fa46be656fed3c3a8cd
             */
            secret: string;
        };
        /** What `webhook/update` answers. */
        WebhookUpdateAnswer: components["schemas"]["Envelope"] & {
            /** An address that receives events. */
            subscription: components["schemas"]["Subscription"];
        };
        /** What `webhook/pause` answers. */
        WebhookPauseAnswer: components["schemas"]["Envelope"] & {
            /** An address that receives events. */
            subscription: components["schemas"]["Subscription"];
        };
        /** What `webhook/resume` answers. */
        WebhookResumeAnswer: components["schemas"]["Envelope"] & {
            /** An address that receives events. */
            subscription: components["schemas"]["Subscription"];
        };
        /** What `webhook/rotate` answers. */
        WebhookRotateAnswer: components["schemas"]["Envelope"] & {
            /** An address that receives events. */
            subscription: components["schemas"]["Subscription"];
            /**
             * The new secret. It is not shown again. Absent with `finish=1`.
             * @example whsec_9146281f950c229e27af56bbe1c8d09955cc0b2ecd49fa4eb59899e88f9233cd
             */
            secret?: string;
        };
        /** What `webhook/delete` answers. */
        WebhookDeleteAnswer: components["schemas"]["Envelope"] & {
            /**
             * The number of the subscription.
             * @example 4
             */
            id: string;
            /**
             * It receives nothing any more.
             * @example true
             */
            deleted: true;
        };
        /** What `sandbox/clock` answers. */
        SandboxClockAnswer: components["schemas"]["Envelope"] & {
            /**
             * The time in your account's sandbox. UTC.
             * @example 2026-03-01 12:00:00
             */
            now: string;
            /**
             * How far it is ahead of real time.
             * @example 518400
             */
            ahead_seconds: number;
        };
        /** An order was made. It is not paid yet. */
        OrderCreatedEvent: {
            /**
             * What happened.
             * @example order.created
             */
            event: "order.created";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_order.created:1001:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:01+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The order.
             * @example 1001
             */
            order_id: number;
            /**
             * How far the order is. Treat it and `delivery` as the truth, whatever order events arrive in.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 3
             */
            status: "1" | "2" | "3" | "4";
            /**
             * `delivered`, `deferred` or `failed`; empty before that is known.
             * @example delivered
             */
            delivery: string;
            /**
             * Why it is deferred or failed; may be empty.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * The number of the eSIM; empty before delivery.
             * @example
             */
            iccid: string;
            /**
             * The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qr_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
        };
        /** The order was paid. Its eSIM is not ready yet. */
        OrderPaidEvent: {
            /**
             * What happened.
             * @example order.paid
             */
            event: "order.paid";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_order.paid:1001:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:01+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The order.
             * @example 1001
             */
            order_id: number;
            /**
             * How far the order is. Treat it and `delivery` as the truth, whatever order events arrive in.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 4
             */
            status: "1" | "2" | "3" | "4";
            /**
             * `delivered`, `deferred` or `failed`; empty before that is known.
             * @example delivered
             */
            delivery: string;
            /**
             * Why it is deferred or failed; may be empty.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * The number of the eSIM; empty before delivery.
             * @example
             */
            iccid: string;
            /**
             * The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qr_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
        };
        /** The eSIM is ready, with its ICCID and QR code. */
        OrderDeliveredEvent: {
            /**
             * What happened.
             * @example order.delivered
             */
            event: "order.delivered";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_order.delivered:1001:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:01+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The order.
             * @example 1001
             */
            order_id: number;
            /**
             * How far the order is. Treat it and `delivery` as the truth, whatever order events arrive in.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 1
             */
            status: "1" | "2" | "3" | "4";
            /**
             * `delivered`, `deferred` or `failed`; empty before that is known.
             * @example delivered
             */
            delivery: string;
            /**
             * Why it is deferred or failed; may be empty.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * The number of the eSIM; empty before delivery.
             * @example 8900000000000010010
             */
            iccid: string;
            /**
             * The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qr_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
        };
        /** The eSIM takes longer. Another event follows when the order is delivered or fails. */
        OrderDeferredEvent: {
            /**
             * What happened.
             * @example order.deferred
             */
            event: "order.deferred";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_order.deferred:1002:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:01+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The order.
             * @example 1002
             */
            order_id: number;
            /**
             * How far the order is. Treat it and `delivery` as the truth, whatever order events arrive in.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 4
             */
            status: "1" | "2" | "3" | "4";
            /**
             * `delivered`, `deferred` or `failed`; empty before that is known.
             * @example delivered
             */
            delivery: string;
            /**
             * Why it is deferred or failed; may be empty.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * The number of the eSIM; empty before delivery.
             * @example
             */
            iccid: string;
            /**
             * The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qr_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
        };
        /** The order will not be delivered. */
        OrderFailedEvent: {
            /**
             * What happened.
             * @example order.failed
             */
            event: "order.failed";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_order.failed:1003:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:01+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The order.
             * @example 1003
             */
            order_id: number;
            /**
             * How far the order is. Treat it and `delivery` as the truth, whatever order events arrive in.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 2
             */
            status: "1" | "2" | "3" | "4";
            /**
             * `delivered`, `deferred` or `failed`; empty before that is known.
             * @example delivered
             */
            delivery: string;
            /**
             * Why it is deferred or failed; may be empty.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * The number of the eSIM; empty before delivery.
             * @example
             */
            iccid: string;
            /**
             * The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qr_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
        };
        /** You asked for a test event. */
        OrderTestEvent: {
            /**
             * What happened.
             * @example order.test
             */
            event: "order.test";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_order.test:0:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:02+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The order.
             * @example 0
             */
            order_id: number;
            /**
             * It describes no order.
             * @example test
             */
            status: "test";
            /**
             * `delivered`, `deferred` or `failed`; empty before that is known.
             * @example delivered
             */
            delivery: string;
            /**
             * Why it is deferred or failed; may be empty.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * The number of the eSIM; empty before delivery.
             * @example
             */
            iccid: string;
            /**
             * The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qr_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /**
             * Says that this is a test.
             * @example Test event: it describes no order.
             */
            note: string;
        };
        /** Money for an order went back to you, in whole or in part. */
        OrderRefundedEvent: {
            /**
             * What happened.
             * @example order.refunded
             */
            event: "order.refunded";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_order.refunded:1012:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:02+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The order.
             * @example 1012
             */
            order_id: number;
            /**
             * How far the order is. Treat it and `delivery` as the truth, whatever order events arrive in.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 1
             */
            status: "1" | "2" | "3" | "4";
            /**
             * `delivered`, `deferred` or `failed`; empty before that is known.
             * @example delivered
             */
            delivery: string;
            /**
             * Why it is deferred or failed; may be empty.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * The number of the eSIM; empty before delivery.
             * @example 8900000000000010127
             */
            iccid: string;
            /**
             * The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qr_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /** What became of the wish to get the price of an order back. */
            refund: components["schemas"]["Refund"];
        };
        /** A refund was asked for, and the operator has to decide. */
        OrderRefundRequestedEvent: {
            /**
             * What happened.
             * @example order.refund_requested
             */
            event: "order.refund_requested";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_order.refund_requested:1009:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:02+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The order.
             * @example 1009
             */
            order_id: number;
            /**
             * How far the order is. Treat it and `delivery` as the truth, whatever order events arrive in.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 1
             */
            status: "1" | "2" | "3" | "4";
            /**
             * `delivered`, `deferred` or `failed`; empty before that is known.
             * @example delivered
             */
            delivery: string;
            /**
             * Why it is deferred or failed; may be empty.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * The number of the eSIM; empty before delivery.
             * @example 8900000000000010093
             */
            iccid: string;
            /**
             * The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qr_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /** What became of the wish to get the price of an order back. */
            refund: components["schemas"]["Refund"];
        };
        /** The operator refused a refund; the note may say why. */
        OrderRefundRejectedEvent: {
            /**
             * What happened.
             * @example order.refund_rejected
             */
            event: "order.refund_rejected";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_order.refund_rejected:1009:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:02+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The order.
             * @example 1009
             */
            order_id: number;
            /**
             * How far the order is. Treat it and `delivery` as the truth, whatever order events arrive in.
             *
             * - `1`: Delivered: the eSIM exists.
             * - `2`: Failed: it will not be delivered, and nothing is charged.
             * - `3`: Created: not paid yet.
             * - `4`: Paid: the eSIM is on its way.
             * @example 1
             */
            status: "1" | "2" | "3" | "4";
            /**
             * `delivered`, `deferred` or `failed`; empty before that is known.
             * @example delivered
             */
            delivery: string;
            /**
             * Why it is deferred or failed; may be empty.
             * @example awaiting_profile
             */
            delivery_reason: string;
            /**
             * The number of the eSIM; empty before delivery.
             * @example 8900000000000010093
             */
            iccid: string;
            /**
             * The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.
             * @example LPA:1$smdp.example.com$K2-1A2B3C
             */
            qr_code: string;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /** What became of the wish to get the price of an order back. */
            refund: components["schemas"]["Refund"];
        };
        /** The first usage or the activation of an eSIM was seen. */
        EsimActivatedEvent: {
            /**
             * What happened.
             * @example esim.activated
             */
            event: "esim.activated";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_esim.activated:8900000000000010093:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:02+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The number of the eSIM; empty before delivery.
             * @example 8900000000000010093
             */
            iccid: string;
            /**
             * The order that brought it.
             * @example 1009
             */
            order_id: number;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /** What is used and left of an eSIM. */
            usage: components["schemas"]["Usage"];
        };
        /** 80 % of an eSIM’s data is used. */
        EsimUsageHighEvent: {
            /**
             * What happened.
             * @example esim.usage_high
             */
            event: "esim.usage_high";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_esim.usage_high:8900000000000010101:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:03+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The number of the eSIM; empty before delivery.
             * @example 8900000000000010101
             */
            iccid: string;
            /**
             * The order that brought it.
             * @example 1010
             */
            order_id: number;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /** What is used and left of an eSIM. */
            usage: components["schemas"]["Usage"];
        };
        /** All data of an eSIM is used. */
        EsimDepletedEvent: {
            /**
             * What happened.
             * @example esim.depleted
             */
            event: "esim.depleted";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_esim.depleted:8900000000000010101:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:03+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The number of the eSIM; empty before delivery.
             * @example 8900000000000010101
             */
            iccid: string;
            /**
             * The order that brought it.
             * @example 1010
             */
            order_id: number;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /** What is used and left of an eSIM. */
            usage: components["schemas"]["Usage"];
        };
        /** An activated eSIM ends within 24 hours. */
        EsimExpiringEvent: {
            /**
             * What happened.
             * @example esim.expiring
             */
            event: "esim.expiring";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_esim.expiring:8900000000000010093:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-07T12:00:04+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The number of the eSIM; empty before delivery.
             * @example 8900000000000010093
             */
            iccid: string;
            /**
             * The order that brought it.
             * @example 1009
             */
            order_id: number;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /** What is used and left of an eSIM. */
            usage: components["schemas"]["Usage"];
        };
        /** An eSIM has ended. */
        EsimExpiredEvent: {
            /**
             * What happened.
             * @example esim.expired
             */
            event: "esim.expired";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_esim.expired:8900000000000010119:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:02+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * The number of the eSIM; empty before delivery.
             * @example 8900000000000010119
             */
            iccid: string;
            /**
             * The order that brought it.
             * @example 1011
             */
            order_id: number;
            /**
             * Your own reference of the order; empty if you gave none.
             * @example
             */
            reference: string;
            /** What is used and left of an eSIM. */
            usage: components["schemas"]["Usage"];
        };
        /** What you can spend has fallen below your alert level. */
        AccountBalanceLowEvent: {
            /**
             * What happened.
             * @example account.balance_low
             */
            event: "account.balance_low";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_account.balance_low:2:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:02+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * What can be spent now; on credit terms the free credit, in USD, two decimals.
             * @example 7.50
             */
            balance: string;
            /**
             * Your alert level, in USD, two decimals.
             * @example 10.00
             */
            level: string;
        };
        /** A card payment was credited to your wallet. */
        TopupSucceededEvent: {
            /**
             * What happened.
             * @example topup.succeeded
             */
            event: "topup.succeeded";
            /**
             * Names the event. A repetition has the same one, so receivers recognise it.
             * @example sbx_topup.succeeded:2:1
             */
            event_id: string;
            /**
             * When it happened: ISO 8601 with an offset.
             * @example 2026-03-01T12:00:01+00:00
             */
            occurred_at: string;
            /**
             * In sandbox events only.
             * @example false
             */
            livemode?: false;
            /**
             * What can be spent now; on credit terms the free credit, in USD, two decimals.
             * @example 150.00
             */
            balance: string;
            /**
             * What was credited, in USD, two decimals.
             * @example 50.00
             */
            amount: string;
        };
        /** What every refusal has. */
        Refused: {
            /**
             * The request was refused.
             * @example fail
             */
            result: "fail";
            /**
             * A label for people; may be reworded.
             * @example Unsuccessful
             */
            title: string;
            /**
             * What to do, in one sentence for developers; may be reworded.
             * @example Ask for one of the codes in `allowed`.
             */
            message: string;
            /**
             * The version of the API.
             * @example 3
             */
            api_version: 3;
            /**
             * In sandbox answers only.
             * @example false
             */
            livemode?: false;
            /**
             * A sandbox key asked for this error; nothing happened.
             * @example true
             */
            sandbox_simulated?: true;
            /**
             * Fields you sent that the endpoint does not know, in the order sent. Absent if there are none.
             * @example [
             *       "produkt_id"
             * ]
             */
            ignored?: string[];
        };
        /** What comes with each error code: the HTTP status, and fields that only it has. */
        Refusals: {
            /** The endpoint cannot return that code. */
            invalid_sandbox_error: {
                code: "400";
                /**
                 * The endpoint, as the contract names it.
                 * @example catalog/countries
                 */
                endpoint: string;
                /**
                 * The codes that this endpoint can simulate.
                 * @example [
                 *       "rate_limited"
                 * ]
                 */
                allowed: string[];
            };
            /** The request could not be decoded. */
            malformed_request: {
                code: "400";
            };
            /** A key was sent in the URL or the body; only the header is accepted. */
            api_key_header_required: {
                code: "401";
            };
            /** The X-API-Key header is missing or empty. */
            api_key_required: {
                code: "401";
            };
            /** The key is unknown, revoked or expired. */
            invalid_api_key: {
                code: "401";
            };
            /** A live key was sent to the sandbox host. */
            live_key_on_sandbox_host: {
                code: "401";
            };
            /** A sandbox key was sent to the live host. */
            sandbox_key_on_live_host: {
                code: "401";
            };
            /** The source address is not on the key's allow-list. */
            ip_not_allowed: {
                code: "403";
            };
            /** The key may not do this; `permission` names what it lacks. */
            key_not_permitted: {
                code: "403";
                /**
                 * What the key lacks.
                 *
                 * - `read`: To read: every GET.
                 * - `buy`: To buy eSIMs and refills.
                 * - `money`: To ask for refunds, top up, and use the tools of the sandbox.
                 * - `webhooks`: To make, change, delete and test webhooks.
                 * @example buy
                 */
                permission: "read" | "buy" | "money" | "webhooks";
            };
            /** The partner account is suspended. */
            partner_disabled: {
                code: "403";
            };
            /** The partner account no longer exists. */
            partner_not_found: {
                code: "403";
            };
            /** Wrong verb; `allow` names the right one. */
            method_not_allowed: {
                code: "405";
                /**
                 * The verb the endpoint takes.
                 * @example GET
                 */
                allow: "GET" | "POST";
            };
            /** The body is over 64 KiB. */
            body_too_large: {
                code: "413";
            };
            /** Bodies are application/x-www-form-urlencoded. */
            unsupported_media_type: {
                code: "415";
            };
            /** Over the tier's ceiling; wait `retry_after` seconds. */
            rate_limited: {
                code: "429";
                /**
                 * The key's ceiling in this tier.
                 * @example 150
                 */
                limit_per_minute: number;
                /**
                 * The tier the endpoint counts towards.
                 * @example purchase
                 */
                tier: "catalog" | "read" | "purchase" | "money" | "outbound";
                /**
                 * Seconds until a call is admitted.
                 * @example 30
                 */
                retry_after: number;
            };
            /** Something failed on our side; the request may be retried. */
            internal_error: {
                code: "500";
            };
            /** The request could not be handled in time; try again shortly. */
            service_unavailable: {
                code: "503";
            };
            /** `country` is missing. */
            country_required: {
                code: "400";
            };
            /** `all_variants` is not 0 or 1. */
            invalid_all_variants: {
                code: "400";
            };
            /** `country` is malformed. */
            invalid_country: {
                code: "400";
            };
            /** `day` is out of range or not a number. */
            invalid_day: {
                code: "400";
            };
            /** `include_small` is not 0 or 1. */
            invalid_include_small: {
                code: "400";
            };
            /** `limit` is out of range. */
            invalid_limit: {
                code: "400";
            };
            /** `max_data_mb` is out of range or not a number. */
            invalid_max_data_mb: {
                code: "400";
            };
            /** `max_day` is out of range or not a number. */
            invalid_max_day: {
                code: "400";
            };
            /** `max_price` is out of range or not a number. */
            invalid_max_price: {
                code: "400";
            };
            /** `min_data_mb` is out of range or not a number. */
            invalid_min_data_mb: {
                code: "400";
            };
            /** `min_day` is out of range or not a number. */
            invalid_min_day: {
                code: "400";
            };
            /** `min_price` is out of range or not a number. */
            invalid_min_price: {
                code: "400";
            };
            /** `network_type` is not 4G or 5G. */
            invalid_network_type: {
                code: "400";
            };
            /** `offset` is out of range. */
            invalid_offset: {
                code: "400";
            };
            /** `order` is not asc or desc. */
            invalid_order: {
                code: "400";
            };
            /** `sort` is outside its allowed set. */
            invalid_sort: {
                code: "400";
            };
            /** `type` is outside its allowed set. */
            invalid_type: {
                code: "400";
            };
            /** `unlimited` is not 0 or 1. */
            invalid_unlimited: {
                code: "400";
            };
            /** `usage_metered` is not 0 or 1. */
            invalid_usage_metered: {
                code: "400";
            };
            /** No such destination is sold. */
            country_not_found: {
                code: "404";
            };
            /** The id resolves to no product. */
            invalid_product: {
                code: "400";
                /**
                 * The item of the batch that is refused, counted from 0. Absent elsewhere.
                 * @example 0
                 */
                item?: number;
            };
            /** The product id is missing. */
            product_id_required: {
                code: "400";
                /**
                 * The item of the batch that is refused, counted from 0. Absent elsewhere.
                 * @example 0
                 */
                item?: number;
            };
            /** Unknown product, or no longer on sale. */
            product_not_found: {
                code: "404";
                /**
                 * The item of the batch that is refused, counted from 0. Absent elsewhere.
                 * @example 0
                 */
                item?: number;
            };
            /** `since` is not a version of the catalog. */
            invalid_since: {
                code: "400";
            };
            /** `since` is missing. */
            since_required: {
                code: "400";
            };
            /** `search` is not a plain text of up to 100 characters. */
            invalid_search: {
                code: "400";
            };
            /** The key is over 191 bytes. */
            idempotency_key_too_long: {
                code: "400";
            };
            /** The key is not a plain string or contains a refused character. */
            invalid_idempotency_key: {
                code: "400";
            };
            /** The partner price works out at zero or below; the sale is refused. */
            invalid_partner_price: {
                code: "400";
                /**
                 * The item of the batch that is refused, counted from 0. Absent elsewhere.
                 * @example 0
                 */
                item?: number;
            };
            /** The product has no sellable price. */
            invalid_price: {
                code: "400";
                /**
                 * The item of the batch that is refused, counted from 0. Absent elsewhere.
                 * @example 0
                 */
                item?: number;
            };
            /** The reference is not a plain string or contains a refused character. */
            invalid_reference: {
                code: "400";
                /**
                 * The item of the batch that is refused, counted from 0. Absent elsewhere.
                 * @example 0
                 */
                item?: number;
            };
            /** `sandbox_scenario` is not success, deferred or failed. */
            invalid_sandbox_scenario: {
                code: "400";
            };
            /** `sandbox_usage` is not not_active, active, depleted or expired. */
            invalid_sandbox_usage: {
                code: "400";
            };
            /** One purchase buys one eSIM; `batch` names the endpoint for many. */
            quantity_not_supported: {
                code: "400";
                /**
                 * The endpoint that buys many eSIMs at once.
                 * @example purchase/batch
                 */
                batch: "purchase/batch";
            };
            /** The reference is over 64 bytes. */
            reference_too_long: {
                code: "400";
                /**
                 * The item of the batch that is refused, counted from 0. Absent elsewhere.
                 * @example 0
                 */
                item?: number;
            };
            /** The postpaid charge was refused; the order is marked failed. */
            credit_charge_failed: {
                code: "402";
                /**
                 * How the account pays.
                 *
                 * - `prepaid`: From the wallet, at once.
                 * - `postpaid`: On invoice terms: the price is added to the debt.
                 * @example postpaid
                 */
                billing_mode: "prepaid" | "postpaid";
                /**
                 * The debt now, in USD.
                 * @example 500
                 */
                outstanding: number;
                /**
                 * How far the account can go into debt, in USD.
                 * @example 500
                 */
                credit_limit: number;
                /**
                 * The credit limit minus the debt, in USD.
                 * @example 0
                 */
                available: number;
                /**
                 * What the purchase costs, in USD.
                 * @example 24.5
                 */
                required: number;
                /**
                 * The order that was recorded. A batch that is refused records none.
                 * @example 1042
                 */
                order_id?: number;
                /**
                 * What the ledger refused.
                 * @example ledger_write_failed
                 */
                reason: string;
            };
            /** The prepaid balance is below the price; nothing was charged. */
            insufficient_balance: {
                code: "402";
                /**
                 * What the wallet can spend, in USD.
                 * @example 0
                 */
                balance: number;
                /**
                 * What the purchase costs, in USD.
                 * @example 24.5
                 */
                required: number;
                /**
                 * The order that was recorded. A batch that is refused records none.
                 * @example 1042
                 */
                order_id?: number;
            };
            /** The postpaid limit would be exceeded. */
            credit_limit_exceeded: {
                code: "403";
                /**
                 * The debt now, in USD.
                 * @example 500
                 */
                outstanding: number;
                /**
                 * How far the account can go into debt, in USD.
                 * @example 500
                 */
                credit_limit: number;
                /**
                 * The credit limit minus the debt, in USD.
                 * @example 0
                 */
                available: number;
                /**
                 * What the purchase costs, in USD.
                 * @example 24.5
                 */
                required: number;
                /**
                 * The order that was recorded. A batch that is refused records none.
                 * @example 1042
                 */
                order_id?: number;
            };
            /** The billing account is suspended; purchases are refused. */
            partner_account_suspended: {
                code: "403";
                /**
                 * How the account pays.
                 *
                 * - `prepaid`: From the wallet, at once.
                 * - `postpaid`: On invoice terms: the price is added to the debt.
                 * @example prepaid
                 */
                billing_mode: "prepaid" | "postpaid";
                /**
                 * 2: the billing account is suspended.
                 * @example 2
                 */
                status: number;
            };
            /** Another charge is still being written; retry with the same key. */
            charge_in_progress: {
                code: "409";
                /**
                 * The order; null while it is not on record yet.
                 * @example 1042
                 */
                order_id: number | null;
                /**
                 * How the account pays.
                 *
                 * - `prepaid`: From the wallet, at once.
                 * - `postpaid`: On invoice terms: the price is added to the debt.
                 * @example postpaid
                 */
                billing_mode: "prepaid" | "postpaid";
                /**
                 * The debt now, in USD.
                 * @example 480
                 */
                outstanding: number;
            };
            /** An earlier charge stopped half-way and needs a manual fix. */
            charge_incomplete: {
                code: "409";
                /**
                 * The order. Quote it to the operator.
                 * @example 1042
                 */
                order_id: number | null;
                /**
                 * How the account pays.
                 *
                 * - `prepaid`: From the wallet, at once.
                 * - `postpaid`: On invoice terms: the price is added to the debt.
                 * @example postpaid
                 */
                billing_mode: "prepaid" | "postpaid";
                /**
                 * The debt now, in USD.
                 * @example 480
                 */
                outstanding: number;
            };
            /** The key was already used for a different product. */
            idempotency_key_conflict: {
                code: "409";
            };
            /** The order row was not created; retry with the same key. */
            sale_insert_failed: {
                code: "500";
            };
            /** The sandbox balance was not changed. */
            sandbox_balance_write_failed: {
                code: "500";
            };
            /** The sandbox order was not created; retry with the same key. */
            sandbox_order_insert_failed: {
                code: "500";
            };
            /** `before_id` is not the number of an order or a movement. */
            invalid_before_id: {
                code: "400";
            };
            /** `from` is not a time. */
            invalid_from: {
                code: "400";
            };
            /** `iccid` is not 5 to 22 digits. */
            invalid_iccid: {
                code: "400";
            };
            /** `refund_status` is outside its allowed set. */
            invalid_refund_status: {
                code: "400";
            };
            /** `status` is outside its allowed set. */
            invalid_status: {
                code: "400";
            };
            /** `to` is not a time. */
            invalid_to: {
                code: "400";
            };
            /** Orders could not be read: unknown, not empty. */
            order_read_failed: {
                code: "500";
            };
            /** Sandbox orders could not be read. */
            sandbox_order_read_failed: {
                code: "500";
            };
            /** The order id is missing. */
            order_id_required: {
                code: "400";
            };
            /** No such order under the account. */
            order_not_found: {
                code: "404";
            };
            /** The ICCID is missing. */
            iccid_required: {
                code: "400";
            };
            /** Not the caller's ICCID, no usage record yet, or the provider did not answer. */
            usage_not_available: {
                code: "404";
            };
            /** `reason` is over 200 characters. */
            reason_too_long: {
                code: "400";
            };
            /** The order was not delivered, or its whole price went back already. */
            order_not_refundable: {
                code: "409";
            };
            /** The sandbox balance could not be read: unknown, not zero. */
            sandbox_balance_read_failed: {
                code: "500";
            };
            /** `order_id` is not an order number. */
            invalid_order_id: {
                code: "400";
            };
            /** Wallet movements could not be read: unknown, not zero. */
            history_read_failed: {
                code: "500";
            };
            /** No billing account was ever opened. */
            partner_account_not_found: {
                code: "404";
            };
            /** The amount is outside the accepted range. */
            amount_out_of_range: {
                code: "400";
                /**
                 * The smallest amount accepted, in USD.
                 * @example 10
                 */
                min: number;
                /**
                 * The largest amount accepted, in USD.
                 * @example 10000
                 */
                max: number;
            };
            /** The amount is missing or not a valid number. */
            amount_required: {
                code: "400";
            };
            /** The payment provider rejected the intent. */
            topup_failed: {
                code: "400";
            };
            /** Card top-up is not enabled. */
            topup_not_available: {
                code: "403";
            };
            /** The top-up was not recorded; nothing was charged. */
            topup_record_failed: {
                code: "500";
            };
            /** The result would be below 0 or above the ceiling. */
            balance_out_of_range: {
                code: "400";
                /**
                 * The balance, unchanged, in USD.
                 * @example 1000
                 */
                balance: number;
                /**
                 * The largest balance there can be, in USD.
                 * @example 1000000
                 */
                max: number;
            };
            /** `payment_key` is missing. */
            payment_key_required: {
                code: "400";
            };
            /** The payment could not be confirmed. */
            topup_confirm_failed: {
                code: "400";
            };
            /** No pending top-up for the key. */
            topup_not_found: {
                code: "404";
            };
            /** `operation` is not add, subtract or set. */
            invalid_operation: {
                code: "400";
            };
            /** The action exists for sandbox keys only; nothing changed. */
            sandbox_only_action: {
                code: "400";
            };
            /** The reset could not delete the orders. */
            sandbox_reset_failed: {
                code: "500";
            };
            /** Webhook data could not be read: unknown, not empty. */
            sandbox_webhook_read_failed: {
                code: "500";
            };
            /** Webhook data could not be read: unknown, not empty. */
            webhook_read_failed: {
                code: "500";
            };
            /** `event` is not an event name. */
            invalid_event: {
                code: "400";
            };
            /** `subscription_id` is not a number. */
            invalid_subscription_id: {
                code: "400";
            };
            /** No such delivery. */
            delivery_not_found: {
                code: "404";
            };
            /** No endpoint is registered. */
            no_subscription: {
                code: "404";
            };
            /** The subscription is not one of yours. */
            subscription_not_found: {
                code: "404";
            };
            /** The subscription is paused or disabled. */
            no_active_subscription: {
                code: "409";
            };
            /** Too many sandbox deliveries are waiting. */
            sandbox_queue_full: {
                code: "429";
                /**
                 * Deliveries that are waiting.
                 * @example 500
                 */
                pending: number;
                /**
                 * How many may wait.
                 * @example 500
                 */
                limit: number;
            };
            /** The test event was not queued. */
            test_enqueue_failed: {
                code: "500";
            };
            /** The target is not a public address; no request was opened. */
            probe_blocked: {
                code: "400";
                /**
                 * No request was sent.
                 * @example false
                 */
                request_sent: false;
                /**
                 * Why the address may not be called.
                 *
                 * - `invalid_url`: It is not a URL.
                 * - `not_https`: It does not begin with `https:`.
                 * - `has_credentials`: It has a user name or a password in it.
                 * - `unresolvable_host`: The host has no address.
                 * - `private_address`: The address is in a private network.
                 * - `link_local_address`: The address is link-local.
                 * - `loopback_address`: The address is the machine itself.
                 * - `reserved_address`: The address is reserved.
                 * @example private_address
                 */
                reason: "invalid_url" | "not_https" | "has_credentials" | "unresolvable_host" | "private_address" | "link_local_address" | "loopback_address" | "reserved_address";
            };
            /** `url` is missing. */
            url_required: {
                code: "400";
            };
            /** `url` is over 500 characters. */
            url_too_long: {
                code: "400";
            };
            /** The probe could not be built or signed; nothing was sent. */
            probe_unavailable: {
                code: "500";
            };
            /** The plan cannot be added to this eSIM. */
            invalid_refill: {
                code: "400";
            };
            /** No such eSIM under the account. */
            esim_not_found: {
                code: "404";
            };
            /** A batch needs an idempotency key. */
            idempotency_key_required: {
                code: "400";
            };
            /** `items` is not a list of items; `item` is the index of the wrong one, null if it is no list. */
            invalid_items: {
                code: "400";
                /**
                 * The item, counted from 0; null if `items` is no list.
                 * @example 0
                 */
                item: number | null;
            };
            /** `items` is missing or an empty list. */
            items_required: {
                code: "400";
            };
            /** A batch has at most 100 items and 100 eSIMs. */
            too_many_items: {
                code: "400";
            };
            /** No such batch under the account. */
            batch_not_found: {
                code: "404";
            };
            /** `state` is not a state of an eSIM. */
            invalid_state: {
                code: "400";
            };
            /** `lang` is not one of the languages of the traveller's page. */
            invalid_lang: {
                code: "400";
            };
            /** Events cannot be sent to this address; `reason` says why. */
            url_blocked: {
                code: "400";
                /**
                 * Why the address may not be called.
                 *
                 * - `invalid_url`: It is not a URL.
                 * - `not_https`: It does not begin with `https:`.
                 * - `has_credentials`: It has a user name or a password in it.
                 * - `unresolvable_host`: The host has no address.
                 * - `private_address`: The address is in a private network.
                 * - `link_local_address`: The address is link-local.
                 * - `loopback_address`: The address is the machine itself.
                 * - `reserved_address`: The address is reserved.
                 * @example private_address
                 */
                reason: "invalid_url" | "not_https" | "has_credentials" | "unresolvable_host" | "private_address" | "link_local_address" | "loopback_address" | "reserved_address";
            };
            /** There are as many subscriptions as there may be; delete one first. */
            subscription_limit_reached: {
                code: "409";
            };
            /** Another subscription has this address already. */
            url_already_subscribed: {
                code: "409";
            };
            /** `id` is missing. */
            id_required: {
                code: "400";
            };
            /** `finish` is not 0 or 1. */
            invalid_finish: {
                code: "400";
            };
            /** Neither `advance` nor `reset=1` was sent. */
            advance_required: {
                code: "400";
            };
            /** `advance` is not a number of seconds, or was sent with `reset=1`. */
            invalid_advance: {
                code: "400";
            };
            /** `reset` is not 0 or 1. */
            invalid_reset: {
                code: "400";
            };
            /** The clock can be at most two years ahead. */
            clock_too_far: {
                code: "409";
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    catalog_countries: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogCountriesAnswer"];
                };
            };
        };
    };
    catalog_products: {
        parameters: {
            query: {
                /** ISO code of a country, or the code or slug of a region, in any case. */
                country: string;
                /**
                 * Which plans to look at; without it the destination's own. It is applied before everything else.
                 *
                 * - `country`: The country's own plans.
                 * - `regional`: Regional plans that cover it.
                 * - `global`: Global plans that cover it.
                 */
                type?: "country" | "regional" | "global";
                /** 1: only plans whose supplier charges by use. 0: only the others. */
                usage_metered?: "0" | "1";
                /** 1: only unlimited plans. 0: only plans with a limit. */
                unlimited?: "0" | "1";
                /**
                 * Only plans of this network, in any case.
                 *
                 * - `4G`: 4G (LTE).
                 * - `5G`: 5G.
                 */
                network_type?: "4G" | "5G";
                /** At least this much data, in MB. Unlimited plans count as 0. */
                min_data_mb?: number;
                /** At most this much data, in MB. Unlimited plans count as 0. */
                max_data_mb?: number;
                /** Exactly this many days. */
                day?: number;
                /** At least this many days. */
                min_day?: number;
                /** At most this many days. */
                max_day?: number;
                /** Your price is at least this, in USD. */
                min_price?: number;
                /** Your price is at most this, in USD. */
                max_price?: number;
                /** 1: also plans of less than 1 GB. */
                include_small?: "0" | "1";
                /** 1: every variant. 0: of the plans with the same data and days, only the best. */
                all_variants?: "0" | "1";
                /**
                 * What to sort by. Ties are sorted by title.
                 *
                 * - `price`: List price.
                 * - `price_per_gb`: List price of one GB. Plans without one come last in both directions.
                 * - `data`: Data; unlimited plans count as 0.
                 * - `day`: Days.
                 * - `title`: Title, as in English, ignoring case.
                 */
                sort?: "price" | "price_per_gb" | "data" | "day" | "title";
                /**
                 * The direction.
                 *
                 * - `asc`: Smallest first.
                 * - `desc`: Largest first.
                 */
                order?: "asc" | "desc";
                /** How many rows at most. */
                limit?: number;
                /** How many rows to skip. */
                offset?: number;
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "country_not_found";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogProductsAnswer"];
                };
            };
        };
    };
    catalog_product: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "product_not_found";
            };
            header?: never;
            path: {
                /** The id of the product. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogProductAnswer"];
                };
            };
        };
    };
    catalog_export: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogExportAnswer"];
                };
            };
        };
    };
    catalog_changes: {
        parameters: {
            query: {
                /** The `version` of the catalog you have. */
                since: string;
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogChangesAnswer"];
                };
            };
        };
    };
    catalog_devices: {
        parameters: {
            query?: {
                /** Only devices whose brand, model and system contain all these words, in any case. */
                search?: string;
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogDevicesAnswer"];
                };
            };
        };
    };
    purchase_buy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The product to buy.
                     * @example esc_a824389a0b4a3db0
                     */
                    product_id: string;
                    /**
                     * Your name for this purchase. Sent again with the same product, it returns the recorded outcome and charges nothing. At most 191 bytes; letters, digits and `- _ . :` are safe.
                     * @example booking-4711-1
                     */
                    idempotency_key?: string;
                    /**
                     * Your own reference of the order. It need not be unique. At most 64 bytes.
                     * @example booking-4711
                     */
                    reference?: string;
                    /**
                     * What becomes of the order. Sandbox keys only; live keys ignore it.
                     *
                     * - `success`: Delivered at once.
                     * - `deferred`: Paid, and delivered by the first read after 60 seconds.
                     * - `failed`: Not delivered; nothing is taken from the balance.
                     * @default success
                     * @example success
                     */
                    sandbox_scenario?: "success" | "deferred" | "failed";
                    /**
                     * What the usage of the eSIM shows. Sandbox keys only; live keys ignore it.
                     *
                     * - `not_active`: 0 of 1024 MB used.
                     * - `active`: 512 of 1024 MB used.
                     * - `depleted`: 1024 of 1024 MB used.
                     * - `expired`: The end has passed.
                     * @default not_active
                     * @example not_active
                     */
                    sandbox_usage?: "not_active" | "active" | "depleted" | "expired";
                    /**
                     * One purchase buys one eSIM: leave it out, or send 1. Any other value is refused rather than ignored.
                     * @example 1
                     */
                    quantity?: number;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example sale_insert_failed
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "product_not_found" | "invalid_price" | "insufficient_balance" | "credit_limit_exceeded" | "partner_account_suspended" | "charge_in_progress" | "charge_incomplete" | "idempotency_key_conflict" | "sale_insert_failed";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseBuyAnswer"];
                };
            };
        };
    };
    order_get: {
        parameters: {
            query?: {
                /** How many orders at most. Larger values are reduced to 100. */
                limit?: number;
                /** The page, counted from 1. Ignored beside `before_id`. */
                start?: number;
                /** Only orders with exactly this reference. */
                reference?: string;
                /** Only the order that brought this eSIM, and its refills. */
                iccid?: string;
                /** Only orders of this product. */
                product_id?: string;
                /**
                 * Only orders in this state.
                 *
                 * - `paid`: Paid, and not yet answered by the supplier.
                 * - `deferred`: Paid, and the delivery is postponed.
                 * - `delivered`: Delivered, including orders refunded since.
                 * - `failed`: Will not be delivered.
                 * - `refunded`: Got money back, in whole or in part.
                 */
                status?: "paid" | "deferred" | "delivered" | "failed" | "refunded";
                /**
                 * Only orders whose refund is in this state. Failed orders get their money back without one.
                 *
                 * - `requested`: The operator has to decide.
                 * - `refunded`: Money went back, in whole or in part.
                 * - `rejected`: The operator refused.
                 */
                refund_status?: "requested" | "refunded" | "rejected";
                /** Only orders made at this time or later. Without a zone it is UTC. */
                from?: string;
                /** Only orders made before this time. Without a zone it is UTC. */
                to?: string;
                /** Only orders with a smaller number. */
                before_id?: number;
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "order_read_failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderGetAnswer"];
                };
            };
        };
    };
    order_detail: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "order_not_found" | "order_read_failed";
            };
            header?: never;
            path: {
                /** The number of the order. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderDetailAnswer"];
                };
            };
        };
    };
    order_usage: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "usage_not_available";
            };
            header?: never;
            path: {
                /** The number of the eSIM. */
                iccid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderUsageAnswer"];
                };
            };
        };
    };
    order_refund: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The order.
                     * @example 1012
                     */
                    order_id: number;
                    /**
                     * Why, in your words.
                     * @example The trip was cancelled
                     */
                    reason?: string;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example order_not_refundable
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "order_not_found" | "order_not_refundable";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRefundAnswer"];
                };
            };
        };
    };
    order_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The order.
                     * @example 1013
                     */
                    order_id: number;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example order_not_found
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "order_not_found";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCancelAnswer"];
                };
            };
        };
    };
    account_balance: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountBalanceAnswer"];
                };
            };
        };
    };
    account_history: {
        parameters: {
            query?: {
                /** Rows per page. Larger values are reduced to 500. */
                limit?: number;
                /** The page, counted from 1. Past the last page the list is empty. */
                start?: number;
                /** Only movements at this time or later. Without a zone it is UTC. */
                from?: string;
                /** Only movements before this time. Without a zone it is UTC. */
                to?: string;
                /** Only movements with a smaller number; `start` is ignored then. Unlike page numbers, it never skips or repeats a movement when new ones arrive. */
                before_id?: number;
                /** Only movements of this order. */
                order_id?: number;
                /** Only movements of orders with exactly this reference. */
                reference?: string;
                /** `1` shows the movements of the play money. Without it, sandbox keys get an empty list; live keys ignore it. */
                sandbox_ledger?: "1";
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "history_read_failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountHistoryAnswer"];
                };
            };
        };
    };
    account_statement: {
        parameters: {
            query?: {
                /** Rows per page. Larger values are reduced to 500. */
                limit?: number;
                /** The page, counted from 1. Past the last page the list is empty. */
                start?: number;
                /**
                 * Only movements of this kind. Any other value is ignored.
                 *
                 * - `charge`: An order was put on the account.
                 * - `payment`: You paid an invoice.
                 * - `adjust`: The operator corrected the debt.
                 * - `refund`: The price of an order, or a part of it, was taken off.
                 * - `profit_share`: A share of the cost of unused data lowered the debt, or was taken back after a refund.
                 */
                type?: "charge" | "payment" | "adjust" | "refund" | "profit_share";
                /** Only movements at this time or later. Without a zone it is UTC. */
                from?: string;
                /** Only movements before this time. Without a zone it is UTC. */
                to?: string;
                /** Only movements with a smaller number; `start` is ignored then. Unlike page numbers, it never skips or repeats a movement when new ones arrive. */
                before_id?: number;
                /** Only movements of this order. */
                order_id?: number;
                /** Only movements of orders with exactly this reference. */
                reference?: string;
                /** `1` shows the movements of the play money. Without it, sandbox keys get an empty list; live keys ignore it. */
                sandbox_ledger?: "1";
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "partner_account_not_found";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountStatementAnswer"];
                };
            };
        };
    };
    account_profitshare: {
        parameters: {
            query?: {
                /** Rows per page. Larger values are reduced to 500. */
                limit?: number;
                /** The page, counted from 1. Past the last page the list is empty. */
                start?: number;
                /**
                 * Only shares in this state. Any other value is ignored.
                 *
                 * - `shadow`: Calculated; no money has moved.
                 * - `settled`: The money has moved, or there was none to move.
                 * - `none`: Shares that round to zero.
                 */
                status?: "shadow" | "settled" | "none";
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountProfitshareAnswer"];
                };
            };
        };
    };
    account_pricing: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountPricingAnswer"];
                };
            };
        };
    };
    account_topup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * US dollars, with two decimals at most.
                     * @example 50
                     */
                    amount: number;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example topup_record_failed
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "topup_not_available" | "amount_out_of_range" | "topup_failed" | "topup_record_failed";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountTopupAnswer"];
                };
            };
        };
    };
    account_topupConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The `payment_key` of the top-up.
                     * @example sbx_topup_6c748a1f9b4016a2ee4d27ef186c7ace
                     */
                    payment_key: string;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example topup_confirm_failed
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "topup_not_found" | "topup_confirm_failed";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountTopupConfirmAnswer"];
                };
            };
        };
    };
    account_sandboxBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * What to do with the balance.
                     *
                     * - `add`: Add the amount.
                     * - `subtract`: Subtract the amount. The result cannot be below 0.
                     * - `set`: Make the amount the balance.
                     * @example set
                     */
                    operation: "add" | "subtract" | "set";
                    /**
                     * US dollars, with two decimals at most.
                     * @example 100
                     */
                    amount: number;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example sandbox_balance_write_failed
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "invalid_operation" | "amount_required" | "balance_out_of_range" | "sandbox_balance_write_failed";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSandboxBalanceAnswer"];
                };
            };
        };
    };
    account_sandboxReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example rate_limited
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSandboxResetAnswer"];
                };
            };
        };
    };
    webhook_list: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "webhook_read_failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookListAnswer"];
                };
            };
        };
    };
    webhook_deliveries: {
        parameters: {
            query?: {
                /** One delivery, with its body. Other filters are then ignored. */
                id?: number;
                /**
                 * Only deliveries that are this far.
                 *
                 * - `pending`: Not tried yet.
                 * - `sent`: The receiver answered with a 2xx.
                 * - `failed`: Tried, and will be retried.
                 * - `dead`: Given up. The operator can send it again.
                 */
                status?: "pending" | "sent" | "failed" | "dead";
                /**
                 * Only deliveries of this event.
                 *
                 * - `order.created`: An order was made. It is not paid yet.
                 * - `order.paid`: The order was paid. Its eSIM is not ready yet.
                 * - `order.delivered`: The eSIM is ready, with its ICCID and QR code.
                 * - `order.deferred`: The eSIM takes longer. Another event follows when the order is delivered or fails.
                 * - `order.failed`: The order will not be delivered.
                 * - `order.test`: You asked for a test event.
                 * - `order.refunded`: Money for an order went back to you, in whole or in part.
                 * - `order.refund_requested`: A refund was asked for, and the operator has to decide.
                 * - `order.refund_rejected`: The operator refused a refund; the note may say why.
                 * - `esim.activated`: The first usage or the activation of an eSIM was seen.
                 * - `esim.usage_high`: 80 % of an eSIM’s data is used.
                 * - `esim.depleted`: All data of an eSIM is used.
                 * - `esim.expiring`: An activated eSIM ends within 24 hours.
                 * - `esim.expired`: An eSIM has ended.
                 * - `account.balance_low`: What you can spend has fallen below your alert level.
                 * - `topup.succeeded`: A card payment was credited to your wallet.
                 */
                event?: "order.created" | "order.paid" | "order.delivered" | "order.deferred" | "order.failed" | "order.test" | "order.refunded" | "order.refund_requested" | "order.refund_rejected" | "esim.activated" | "esim.usage_high" | "esim.depleted" | "esim.expiring" | "esim.expired" | "account.balance_low" | "topup.succeeded";
                /** Only deliveries to this subscription. */
                subscription_id?: string;
                /** How many deliveries at most. */
                limit?: number;
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "delivery_not_found" | "webhook_read_failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveriesAnswer"];
                };
            };
        };
    };
    webhook_test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The subscription to test; without it, every active one.
                     * @example 12
                     */
                    subscription_id?: number;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example webhook_read_failed
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "no_subscription" | "subscription_not_found" | "no_active_subscription" | "test_enqueue_failed" | "webhook_read_failed";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestAnswer"];
                };
            };
        };
    };
    webhook_probe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The address to call: https, on a public host.
                     * @example https://shop.example.com/hook
                     */
                    url: string;
                    /**
                     * The event to simulate.
                     *
                     * - `order.created`: An order was made. It is not paid yet.
                     * - `order.paid`: The order was paid. Its eSIM is not ready yet.
                     * - `order.delivered`: The eSIM is ready, with its ICCID and QR code.
                     * - `order.deferred`: The eSIM takes longer. Another event follows when the order is delivered or fails.
                     * - `order.failed`: The order will not be delivered.
                     * - `order.test`: You asked for a test event.
                     * - `order.refunded`: Money for an order went back to you, in whole or in part.
                     * - `order.refund_requested`: A refund was asked for, and the operator has to decide.
                     * - `order.refund_rejected`: The operator refused a refund; the note may say why.
                     * - `esim.activated`: The first usage or the activation of an eSIM was seen.
                     * - `esim.usage_high`: 80 % of an eSIM’s data is used.
                     * - `esim.depleted`: All data of an eSIM is used.
                     * - `esim.expiring`: An activated eSIM ends within 24 hours.
                     * - `esim.expired`: An eSIM has ended.
                     * - `account.balance_low`: What you can spend has fallen below your alert level.
                     * - `topup.succeeded`: A card payment was credited to your wallet.
                     * @default order.test
                     * @example order.delivered
                     */
                    event?: "order.created" | "order.paid" | "order.delivered" | "order.deferred" | "order.failed" | "order.test" | "order.refunded" | "order.refund_requested" | "order.refund_rejected" | "esim.activated" | "esim.usage_high" | "esim.depleted" | "esim.expiring" | "esim.expired" | "account.balance_low" | "topup.succeeded";
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example probe_unavailable
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "probe_blocked" | "probe_unavailable";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookProbeAnswer"];
                };
            };
        };
    };
    purchase_quote: {
        parameters: {
            query: {
                /** Ask for the price of a refill of this eSIM. */
                iccid?: string;
                /** The product to buy. */
                product_id: string;
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "esim_not_found" | "invalid_refill";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseQuoteAnswer"];
                };
            };
        };
    };
    purchase_refill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The eSIM to refill.
                     * @example 8900000000000010010
                     */
                    iccid: string;
                    /**
                     * The product to buy.
                     * @example esc_98012facb63edb3c
                     */
                    product_id: string;
                    /**
                     * Your name for this purchase. Sent again with the same product, it returns the recorded outcome and charges nothing. At most 191 bytes; letters, digits and `- _ . :` are safe.
                     * @example booking-4711-2
                     */
                    idempotency_key?: string;
                    /**
                     * Your own reference of the order. It need not be unique. At most 64 bytes.
                     * @example booking-4711
                     */
                    reference?: string;
                    /**
                     * What becomes of the order. Sandbox keys only; live keys ignore it.
                     *
                     * - `success`: Delivered at once.
                     * - `deferred`: Paid, and delivered by the first read after 60 seconds.
                     * - `failed`: Not delivered; nothing is taken from the balance.
                     * @default success
                     * @example success
                     */
                    sandbox_scenario?: "success" | "deferred" | "failed";
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example invalid_refill
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "product_not_found" | "invalid_price" | "insufficient_balance" | "credit_limit_exceeded" | "partner_account_suspended" | "charge_in_progress" | "charge_incomplete" | "idempotency_key_conflict" | "sale_insert_failed" | "esim_not_found" | "invalid_refill";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseRefillAnswer"];
                };
            };
        };
    };
    purchase_batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * What to buy, as JSON: a list of 1 to 100 objects with `product_id`, `quantity` (1 to 100; 1 if left out) and `reference` (your own, may be left out), at most 100 eSIMs in all. Another name in an object is refused.
                     * @example [{"product_id":"esc_a824389a0b4a3db0","quantity":2,"reference":"group-4714"},{"product_id":"esc_1daaf23ff1d7c066"}]
                     */
                    items: string;
                    /**
                     * Your name for this batch. Sent again with the same items, it returns the batch as it stands and charges nothing. At most 191 bytes; letters, digits and `- _ . :` are safe.
                     * @example group-4714-1
                     */
                    idempotency_key: string;
                    /**
                     * What becomes of the order. Sandbox keys only; live keys ignore it.
                     *
                     * - `success`: Delivered at once.
                     * - `deferred`: Paid, and delivered by the first read after 60 seconds.
                     * - `failed`: Not delivered; nothing is taken from the balance.
                     * @default success
                     * @example success
                     */
                    sandbox_scenario?: "success" | "deferred" | "failed";
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example sale_insert_failed
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "product_not_found" | "invalid_price" | "insufficient_balance" | "credit_limit_exceeded" | "partner_account_suspended" | "charge_in_progress" | "charge_incomplete" | "idempotency_key_conflict" | "sale_insert_failed";
                };
            };
        };
        responses: {
            /** Accepted: paid, and the eSIM is on its way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseBatchAnswer"];
                };
            };
        };
    };
    purchase_batchById: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "batch_not_found" | "order_read_failed";
            };
            header?: never;
            path: {
                /** The number of the batch. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseBatchByIdAnswer"];
                };
            };
        };
    };
    esim_list: {
        parameters: {
            query?: {
                /** How many eSIMs at most. Larger values are reduced to 100. */
                limit?: number;
                /** Only eSIMs of orders with a smaller number. */
                before_id?: number;
                /**
                 * Only eSIMs in this state.
                 *
                 * - `not_active`: Not used yet; the days do not count.
                 * - `active`: In use.
                 * - `depleted`: All data is used.
                 * - `expired`: Its time is over.
                 * - `cancelled`: Withdrawn at its supplier after a refund.
                 */
                state?: "not_active" | "active" | "depleted" | "expired" | "cancelled";
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimListAnswer"];
                };
            };
        };
    };
    esim_detail: {
        parameters: {
            query?: {
                /** The language of `install.steps`. */
                lang?: "en" | "de" | "fr" | "es" | "it" | "pt" | "tr" | "ar" | "ja" | "zh";
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "esim_not_found";
            };
            header?: never;
            path: {
                /** The number of the eSIM. */
                iccid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimDetailAnswer"];
                };
            };
        };
    };
    esim_refills: {
        parameters: {
            query?: {
                /** Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body. */
                sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "esim_not_found";
            };
            header?: never;
            path: {
                /** The number of the eSIM. */
                iccid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EsimRefillsAnswer"];
                };
            };
        };
    };
    webhook_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * Where events are sent: https, on a public host.
                     * @example https://shop.example.com/webhooks
                     */
                    url: string;
                    /**
                     * Which events, between commas; by default the six of the contract.
                     * @example order.delivered,order.failed
                     */
                    events?: string;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example subscription_limit_reached
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "url_blocked" | "url_already_subscribed" | "subscription_limit_reached";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCreateAnswer"];
                };
            };
        };
    };
    webhook_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The subscription, by its number in `webhook/list`.
                     * @example 4
                     */
                    id: number;
                    /**
                     * Where events are sent from now on: https, on a public host.
                     * @example https://shop.example.com/webhooks
                     */
                    url?: string;
                    /**
                     * Which events from now on, between commas.
                     * @example order.delivered
                     */
                    events?: string;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example url_already_subscribed
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "subscription_not_found" | "url_blocked" | "url_already_subscribed";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookUpdateAnswer"];
                };
            };
        };
    };
    webhook_pause: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The subscription, by its number in `webhook/list`.
                     * @example 4
                     */
                    id: number;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example subscription_not_found
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "subscription_not_found";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPauseAnswer"];
                };
            };
        };
    };
    webhook_resume: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The subscription, by its number in `webhook/list`.
                     * @example 4
                     */
                    id: number;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example subscription_not_found
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "subscription_not_found";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResumeAnswer"];
                };
            };
        };
    };
    webhook_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The subscription, by its number in `webhook/list`.
                     * @example 4
                     */
                    id: number;
                    /**
                     * 1: your receiver has the new secret; from now on only that one signs.
                     * @default 0
                     * @example 0
                     */
                    finish?: "0" | "1";
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example subscription_not_found
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "subscription_not_found";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRotateAnswer"];
                };
            };
        };
    };
    webhook_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * The subscription, by its number in `webhook/list`.
                     * @example 4
                     */
                    id: number;
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example subscription_not_found
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "subscription_not_found";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeleteAnswer"];
                };
            };
        };
    };
    sandbox_clock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * How far, in seconds, from where the clock is now.
                     * @example 518400
                     */
                    advance?: number;
                    /**
                     * 1: back to real time.
                     * @default 0
                     * @example 0
                     */
                    reset?: "0" | "1";
                    /**
                     * Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.
                     * @example clock_too_far
                     */
                    sandbox_error?: "invalid_api_key" | "partner_disabled" | "ip_not_allowed" | "rate_limited" | "clock_too_far";
                };
            };
        };
        responses: {
            /** Successful */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClockAnswer"];
                };
            };
        };
    };
}

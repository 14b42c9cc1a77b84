ALTER TYPE purchase_request ADD ATTRIBUTE sku text;

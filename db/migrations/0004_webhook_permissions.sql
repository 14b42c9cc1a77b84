-- Keys that may do everything go on being such keys.
update api_keys set permissions = permissions || '{webhooks:read,webhooks:write}'::text[]
where permissions @> '{checkout:read,checkout:write,wallet:read,events:read,test:write}' and not permissions @> '{webhooks:write}';

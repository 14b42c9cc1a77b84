import type { ApiAnswer } from "#testing/api.ts";
import type { Api } from "../api.fixture.ts";

export const CARDS = "/api/v1/virtual-cards";
export const HOLDERS = `${CARDS}/cardholders`;
export const RATES = "/api/v1/exchange-rates";
/** A well-formed id of a card that does not exist. */
export const UNKNOWN_CARD = "card_01KAF3YQW5A8Q6ZJ4K1S2T3V4W";

/** The body of a request for a cardholder. */
export const person = { first_name: "Ngozi", last_name: "Eze", email: "ngozi@example.com" };

/** Returns the path of the simulator of spend on a card. */
export const simulatorOf = (id: string) => `/api/v1/test/virtual-cards/${id}/transactions`;

/** Returns the name of the field that an error answer blames. */
export const fieldOf = ({ body }: ApiAnswer): string | undefined => body.error.param;

/** Returns a valid call of each endpoint that takes the id of a card. */
export const callsOn = (api: Api, id: string) => ({
  get: () => api.get(`${CARDS}/${id}`),
  rename: () => api.patch(`${CARDS}/${id}`, { nickname: "Ads" }),
  quoteFund: () => api.get(`${CARDS}/${id}/quote?type=fund&amount=5`),
  quoteUnload: () => api.get(`${CARDS}/${id}/quote?type=unload&amount=5`),
  fund: () => api.post(`${CARDS}/${id}/fund`, { amount: 5 }),
  unload: () => api.post(`${CARDS}/${id}/unload`, { amount: 5 }),
  freeze: () => api.post(`${CARDS}/${id}/freeze`),
  unfreeze: () => api.post(`${CARDS}/${id}/unfreeze`),
  terminate: () => api.post(`${CARDS}/${id}/terminate`),
  transactions: () => api.get(`${CARDS}/${id}/transactions`),
  details: () => api.get(`${CARDS}/${id}/details`),
  simulate: () => api.post(simulatorOf(id), { amount: 1, merchant_name: "Shop" }),
});

/** Returns a valid call of each endpoint of the cards area. */
export const callsOfArea = (api: Api, id: string) => ({
  createCardholder: () => api.post(HOLDERS, person),
  getCardholder: () => api.get(`${HOLDERS}/1`),
  issue: () => api.post(CARDS, { cardholder_id: 1 }),
  list: () => api.get(CARDS),
  ...callsOn(api, id),
});

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { relyingParty } from "./relying-party.ts";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString("base64url");

const FLAGS = { present: 0x01, verified: 0x04, hasCredential: 0x40 };

/** Faults of an authenticator and its browser. */
export interface Flaws {
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
  /** The value of the counter. By default it stays 0, as that of a passkey which is copied between devices. */
  counter?: number;
  crossOrigin?: boolean;
  userHandle?: string | undefined;
  format?: string;
  /** The certificates of the attestation, in DER. */
  certificates?: Uint8Array[];
  type?: string;
}

/** The heads of CBOR (RFC 8949) that a key and an attestation need: all their lengths are below 65,536. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256 ? Buffer.from([(major << 5) | 24, length]) : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Uint8Array) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const list = (items: Buffer[]) => Buffer.concat([head(4, items.length), ...items]);
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()]);

/** An authenticator in software, with one ES256 key. It answers as a browser does. */
export class Authenticator {
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #id = randomBytes(32);
  #userHandle: string | undefined;

  /** Returns the answer to `beginPasskeyRegistration`. */
  register({ challenge, user }: { challenge: string; user: { id: string } }, flaws: Flaws = {}) {
    this.#userHandle = user.id;
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const coordinate = (value: string) => bytes(Buffer.from(value, "base64url"));
    const publicKey = map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), coordinate(x)],
      [integer(-3), coordinate(y)],
    ]);
    const length = Buffer.from([0, this.#id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, publicKey]);
    const data = Buffer.concat([this.#data(flaws, FLAGS.hasCredential), credential]);
    const attestation = map([
      [text("fmt"), text(flaws.format ?? "none")],
      [text("attStmt"), map(flaws.certificates ? [[text("x5c"), list(flaws.certificates.map(bytes))]] : [])],
      [text("authData"), bytes(data)],
    ]);
    const response = {
      clientDataJSON: this.#clientData("webauthn.create", challenge, flaws),
      attestationObject: base64url(attestation),
      transports: ["internal", "hybrid"],
    };
    return { ...this.#named(), response };
  }

  /** Returns the answer to `beginPasskeySignIn`. */
  signIn({ challenge }: { challenge: string }, flaws: Flaws = {}) {
    const data = this.#data(flaws);
    const clientDataJSON = this.#clientData("webauthn.get", challenge, flaws);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, "base64url"))]);
    const userHandle = "userHandle" in flaws ? flaws.userHandle : this.#userHandle;
    const signature = base64url(sign("sha256", signed, this.#keys.privateKey));
    return { ...this.#named(), response: { clientDataJSON, authenticatorData: base64url(data), signature, userHandle } };
  }

  #named() {
    const id = base64url(this.#id);
    return { id, rawId: id, type: "public-key" as const };
  }

  #data({ rpId = relyingParty().rpID, isVerified = true, counter = 0 }: Flaws, more = 0): Buffer {
    const flags = FLAGS.present | (isVerified ? FLAGS.verified : 0) | more;
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), rest]);
  }

  #clientData(type: string, challenge: string, { origin = relyingParty().origin, crossOrigin = false, ...flaws }: Flaws): string {
    return base64url(JSON.stringify({ type: flaws.type ?? type, challenge, origin, crossOrigin }));
  }
}

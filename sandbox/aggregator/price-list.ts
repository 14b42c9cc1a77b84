export interface Listed {
  service: "airtime" | "data" | "cable" | "electricity" | "exam";
  code: string;
  name: string;
  brand: string;
  variant?: string;
  size?: string;
  validity?: string;
  /** Price of one; absent if the buyer chooses the amount. */
  naira?: number;
  hasLetters?: boolean;
}

type Line = [code: string, name: string, naira: number];

const NETWORKS = { mtn: "MTN", glo: "Glo", airtel: "Airtel", "9mobile": "9mobile" } as const;
type Network = keyof typeof NETWORKS;

const airtime = (Object.keys(NETWORKS) as Network[]).flatMap((network) =>
  (["VTU", "Sharesell"] as const).map(
    (variant): Listed => ({
      service: "airtime",
      code: `${network}-${variant.toLowerCase()}`,
      name: `${NETWORKS[network]} airtime (${variant})`,
      brand: network,
      variant,
    }),
  ),
);

type Plan = [size: string, validity: string, naira: number];

function plans(network: Network, variant: "SME" | "Gifting" | "Corporate", list: Plan[]): Listed[] {
  return list.map(([size, validity, naira]) => ({
    service: "data",
    code: `${network}-${variant}-${size}-${validity}`.toLowerCase().replaceAll(" ", "-"),
    name: `${NETWORKS[network]} ${size} ${variant}, ${validity}`,
    brand: network,
    variant,
    size,
    validity,
    naira,
  }));
}

// Rounded from the lists of networks and resellers in 2026. The prices are examples.
const data = [
  ...plans("mtn", "SME", [
    ["500MB", "30 days", 350],
    ["1GB", "30 days", 600],
    ["2GB", "30 days", 1_200],
    ["3GB", "30 days", 1_800],
    ["5GB", "30 days", 3_000],
    ["10GB", "30 days", 6_000],
  ]),
  ...plans("mtn", "Gifting", [
    ["110MB", "1 day", 100],
    ["230MB", "1 day", 200],
    ["1GB", "1 day", 500],
    ["2.5GB", "2 days", 900],
    ["1GB", "7 days", 800],
    ["6GB", "7 days", 2_500],
    ["2.7GB", "30 days", 2_000],
    ["7GB", "30 days", 3_500],
    ["16.5GB", "30 days", 6_500],
    ["36GB", "30 days", 11_000],
    ["75GB", "30 days", 18_000],
  ]),
  ...plans("mtn", "Corporate", [
    ["500MB", "30 days", 300],
    ["1GB", "30 days", 560],
    ["5GB", "30 days", 2_800],
    ["20GB", "30 days", 11_200],
  ]),
  ...plans("glo", "Gifting", [
    ["125MB", "1 day", 100],
    ["260MB", "2 days", 200],
    ["1.5GB", "14 days", 500],
    ["2.6GB", "30 days", 1_000],
    ["6.15GB", "30 days", 2_000],
    ["10GB", "30 days", 3_000],
    ["29.5GB", "30 days", 8_000],
  ]),
  ...plans("glo", "Corporate", [
    ["500MB", "30 days", 220],
    ["1GB", "30 days", 430],
    ["3GB", "30 days", 1_290],
    ["10GB", "30 days", 4_300],
  ]),
  ...plans("airtel", "Gifting", [
    ["100MB", "1 day", 100],
    ["300MB", "2 days", 300],
    ["1GB", "1 day", 500],
    ["1.5GB", "7 days", 1_000],
    ["3GB", "30 days", 2_000],
    ["8GB", "30 days", 3_000],
    ["13GB", "30 days", 5_000],
    ["25GB", "30 days", 8_000],
    ["60GB", "30 days", 15_000],
  ]),
  ...plans("airtel", "Corporate", [
    ["500MB", "30 days", 310],
    ["1GB", "30 days", 600],
    ["5GB", "30 days", 3_000],
  ]),
  ...plans("9mobile", "Gifting", [
    ["180MB", "1 day", 150],
    ["650MB", "3 days", 500],
    ["1.1GB", "30 days", 1_000],
    ["2.4GB", "30 days", 2_000],
    ["5.2GB", "30 days", 4_000],
    ["11.4GB", "30 days", 8_000],
  ]),
  ...plans("9mobile", "Corporate", [
    ["500MB", "30 days", 180],
    ["1GB", "30 days", 350],
    ["10GB", "30 days", 3_500],
  ]),
];

const bouquets = (brand: string, lines: Line[]): Listed[] =>
  lines.map(([code, name, naira]) => ({ service: "cable", code, name, brand, validity: "1 month", naira }));

const cable = [
  ...bouquets("dstv", [
    ["dstv-padi", "DStv Padi", 4_400],
    ["dstv-yanga", "DStv Yanga", 6_000],
    ["dstv-confam", "DStv Confam", 11_000],
    ["dstv-compact", "DStv Compact", 19_000],
    ["dstv-compact-plus", "DStv Compact Plus", 30_000],
    ["dstv-premium", "DStv Premium", 44_500],
  ]),
  ...bouquets("gotv", [
    ["gotv-smallie", "GOtv Smallie", 1_900],
    ["gotv-jinja", "GOtv Jinja", 3_900],
    ["gotv-jolli", "GOtv Jolli", 5_800],
    ["gotv-max", "GOtv Max", 8_500],
    ["gotv-supa", "GOtv Supa", 11_400],
    ["gotv-supa-plus", "GOtv Supa Plus", 16_800],
  ]),
  ...bouquets("startimes", [
    ["startimes-nova", "StarTimes Nova (antenna)", 2_100],
    ["startimes-basic", "StarTimes Basic (antenna)", 4_000],
    ["startimes-classic", "StarTimes Classic (antenna)", 6_000],
    ["startimes-smart", "StarTimes Smart (dish)", 5_100],
    ["startimes-super", "StarTimes Super (dish)", 9_800],
  ]),
];

const DISCOS: [code: string, name: string, hasLetters?: true][] = [
  ["ikeja-electric", "Ikeja Electric (IKEDC)"],
  ["eko-electric", "Eko Electricity (EKEDC)", true],
  ["abuja-electric", "Abuja Electricity (AEDC)"],
  ["ibadan-electric", "Ibadan Electricity (IBEDC)", true],
  ["enugu-electric", "Enugu Electricity (EEDC)"],
  ["portharcourt-electric", "Port Harcourt Electricity (PHED)"],
  ["kano-electric", "Kano Electricity (KEDCO)", true],
  ["kaduna-electric", "Kaduna Electric (KAEDCO)"],
  ["jos-electric", "Jos Electricity (JED)"],
  ["benin-electric", "Benin Electricity (BEDC)"],
  ["yola-electric", "Yola Electricity (YEDC)"],
  ["aba-electric", "Aba Power (ABEDC)"],
];
const electricity = DISCOS.map(
  ([code, name, hasLetters = false]): Listed => ({ service: "electricity", code, name, brand: code.replace("-electric", ""), hasLetters }),
);

const exams: [brand: string, ...Line][] = [
  ["waec", "waec-result", "WAEC result checker", 3_900],
  ["waec", "waec-registration", "WAEC GCE registration", 27_000],
  ["neco", "neco-result", "NECO result token", 1_350],
  ["nabteb", "nabteb-result", "NABTEB result checker", 1_100],
  ["jamb", "jamb-utme", "JAMB UTME registration", 7_700],
];
const exam = exams.map(([brand, code, name, naira]): Listed => ({ service: "exam", code, name, brand, naira }));

/** The built-in list, before later changes. */
export const PRICE_LIST: readonly Listed[] = [...airtime, ...data, ...cable, ...electricity, ...exam];

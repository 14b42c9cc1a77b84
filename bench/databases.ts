import postgres from "postgres";

/** Drops a database of a server, also while others are connected to it. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const client = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await client.unsafe(`drop database if exists "${name}" with (force)`);
  await client.end();
}

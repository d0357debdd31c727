import type { Commands } from '@plantroom/client/commands'

const QUARTER_MS = 15 * 60_000

/** Places an override as a partner does, for a quarter of an hour. Returns its id. */
export async function holdForAWhile(commands: Commands, datapointId: string, value: number): Promise<string> {
  const now = Date.now()
  const [from, to] = [new Date(now).toISOString(), new Date(now + QUARTER_MS).toISOString()]
  const { id } = await commands.override({ datapointId, value, from, to })
  return id
}

import type { Place } from '../connections/connections.ts'
import type { Commits } from '../store/commits.ts'
import { knownPlain, readPlain, writtenValue } from './equipment.ts'
import type { Hold } from './hold.ts'
import type { Holds } from './holds.ts'
import type { LimitKeeper } from './limit-keeper.ts'

/** Saves the value to restore before anything is written over it. */
export async function capturePlain(
  { holds, commits, limits }: { holds: Holds; commits: Commits; limits: LimitKeeper },
  place: Place,
  { known, recent }: Hold,
): Promise<void> {
  const plain = known ? knownPlain(place, known) : await readPlain(place, recent)
  if (!known && plain.raw !== null) limits.seen(place, Number(writtenValue(plain.raw, place.datapoint)))
  await commits.record((to) => holds.capture(to, place, plain))
}

import { sha256 } from '@plantroom/base/sha256'
import { VERSION } from '@plantroom/contract/version'
import type { Heard } from './ask-vtn.ts'
import type { Mapped } from './mapped-store.ts'
import type { FoundVtn } from './program-store.ts'
import type { ResourceStatus } from './status-store.ts'

/** Equal for lists of events that say the same. */
export const digestOfEvents = ({ events, unreadable, lost }: Pick<Heard, 'events' | 'unreadable' | 'lost'>): string =>
  digest([events.map(({ id, version }) => `${version} ${id}`).sort(), [...unreadable].sort(), [...lost].sort()])

/** Equal while the equipment that a mapping names is commissioned as before, and the statuses that are reported stay. */
export const digestOfEquipment = (
  { writable, measured, meters }: Mapped,
  statuses: readonly ResourceStatus[],
): string => digest([[...writable], [...measured], [...meters], statuses])

/**
 * Everything that decides what is placed and reported, except the time and what wakes the program. While it stays, there is
 * nothing to reconcile. Another version of the software may read the same events in another way.
 */
export const basisOf = ({ events, venTargets, resources, programs }: FoundVtn, equipment: string): string =>
  digest([VERSION, events, venTargets, resources, programs, equipment])

const digest = (value: unknown) => sha256(JSON.stringify(value)).slice(0, 32)

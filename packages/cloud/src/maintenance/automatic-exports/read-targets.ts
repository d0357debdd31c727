import { newId } from '@plantroom/base/ids'
import type { GivenTarget } from '@plantroom/contract/automatic-exports'
import { Failure } from '@plantroom/contract/failure'
import { type Guard, RefusedAddress } from '../../platform/outbound/index.ts'
import type { Seal } from '../../platform/seal/index.ts'
import type { StoredTarget } from './export-store.ts'
import { problemOfPath } from './targets/folder.ts'
import { offeredKinds, type TargetDeps } from './targets/open-target.ts'
import { kindsOf, labelOf, locationOf, recipientOf, splitSecret } from './targets/target.ts'

interface ReadDeps extends Pick<TargetDeps, 'exportFolder'> {
  guard: Pick<Guard, 'check'>
  seal: Seal
}

/** Reads the targets that a caller described, and keeps the secrets of those that are stored already. */
export function readTargets(
  deps: ReadDeps,
  given: readonly GivenTarget[],
  stored: readonly StoredTarget[],
): StoredTarget[] {
  const read = given.map((target, index) => readTarget(deps, target, stored, `targets[${index}]`))
  const twice = read.find(({ place }, index) => read.findIndex((one) => same(one.place, place, locationOf)) < index)
  if (twice) throw new Failure('invalid', `targets has ${twice.label} twice: remove one`, 'targets')
  return read
}

/** Reads one target. Its id stays while the files stay where they are: the retention removes only what is there. */
export function readTarget(
  deps: ReadDeps,
  given: GivenTarget,
  stored: readonly StoredTarget[],
  field: string,
): StoredTarget {
  requireOneKind(deps, given, field)
  requireAllowed(deps, given, field)
  const { place, secret } = splitSecret(given)
  // A file of settings names no ids: what is at the same place is the same target.
  const known = stored.find((one) =>
    given.id === undefined ? same(one.place, place, locationOf) : one.id === given.id,
  )
  const id = known && same(known.place, place, locationOf) ? known.id : newId('target')
  const label = labelOf(place)
  if (place.folder) return { id, label, place, secret: null }
  if (secret !== undefined) return { id, label, place, secret: deps.seal.seal(secret, id) }
  const name = place.s3 ? `${field}.s3.secretAccessKey` : `${field}.webdav.password`
  if (!known?.secret) throw new Failure('invalid', `${name} is missing: enter it`, name)
  if (!same(known.place, place, recipientOf)) {
    throw new Failure('invalid', `${name} is missing: the address or the user changed, so enter it again`, name)
  }
  return { id, label, place, secret: deps.seal.seal(deps.seal.open(known.secret, known.id), id) }
}

function requireOneKind(deps: ReadDeps, given: GivenTarget, field: string): void {
  const kinds = kindsOf(given)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    throw new Failure('invalid', `${field} must have one of s3, webdav and folder`, field)
  }
  if (offeredKinds(deps).includes(kind)) return
  throw new Failure(
    'invalid',
    `${field}.${kind} is not offered by this service: ask the operator to set PLANTROOM_EXPORT_FOLDER`,
    `${field}.${kind}`,
  )
}

function requireAllowed({ guard }: ReadDeps, { s3, webdav, folder }: GivenTarget, field: string): void {
  const [name, url] = webdav ? (['webdav.url', webdav.url] as const) : (['s3.endpoint', s3?.endpoint] as const)
  if (url) requireUrl(guard, url, `${field}.${name}`)
  if (!folder) return
  const problem = problemOfPath(folder.path)
  if (problem !== undefined) throw new Failure('invalid', `${field}.folder.${problem}`, `${field}.folder.path`)
}

function requireUrl(guard: ReadDeps['guard'], text: string, field: string): void {
  const refuse = (problem: string) => new Failure('invalid', `${field} ${problem}`, field)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.username !== '' || url.password !== '')) {
    throw refuse('contains a user name or password: enter them in their own fields')
  }
  if (url && (url.search !== '' || url.hash !== '')) throw refuse('has a part after ? or #: remove it')
  try {
    guard.check(text)
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    throw refuse(error.message.replace(/^url /, ''))
  }
}

const same = <Place>(one: Place, other: Place, by: (place: Place) => string) => by(one) === by(other)

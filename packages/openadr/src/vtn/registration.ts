import { readResource, readVen, type VtnResource, type VtnVen } from '../normal/objects.ts'
import type { Read } from '../normal/parts.ts'
import { readList } from './read-list.ts'
import type { Call, Session } from './session.ts'
import { parsedBody, VtnFailure } from './vtn-failure.ts'

/** Returns our VEN by name, and registers it when the VTN has none. Safe to repeat, also when an answer was lost. */
export function ensureVen(session: Session, venName: string): Promise<VtnVen> {
  const bodies = session.access.version === '3.0' ? [{ venName }] : [{ objectType: 'VEN_VEN_REQUEST', venName }]
  return ensure(session, {
    find: async () => {
      const { items } = await readList(session, { path: 'vens', query: { venName } }, readVen)
      return items.find(({ name }) => name === venName)
    },
    path: 'vens',
    bodies,
    read: readVen,
    taken: `Which client owns the VEN ${venName}? The VTN has it, but does not show it to us.`,
  })
}

/** Returns a resource of our VEN by name, and registers it when the VTN has none: `made` then gets its id. */
export function ensureResource(
  session: Session,
  venId: string,
  resourceName: string,
  made?: (id: string) => void,
): Promise<VtnResource> {
  const isOld = session.access.version === '3.0'
  const path = resourcesPath(session, venId)
  const request = { objectType: 'VEN_RESOURCE_REQUEST', resourceName }
  return ensure(session, {
    find: async () => {
      const query = isOld ? { resourceName } : { resourceName, venID: venId }
      const { items } = await readList(session, { path, query }, readResource)
      return items.find((found) => found.name === resourceName && (found.venId ?? venId) === venId)
    },
    path,
    // 3.1.1 wants the id of the VEN in the body; a strict VTN of 3.1.0 refuses it.
    bodies: isOld ? [{ resourceName }] : [{ ...request, venID: venId }, request],
    read: readResource,
    made,
    taken: `Which client owns the resource ${resourceName}? The VTN has it, but does not show it to us.`,
  })
}

/** Removes a resource of our VEN. One that the VTN no longer has is fine. */
export async function removeResource(session: Session, venId: string, resourceId: string): Promise<void> {
  const path = `${resourcesPath(session, venId)}/${encodeURIComponent(resourceId)}`
  await session.call({ method: 'DELETE', path, accepted: [404] })
}

const resourcesPath = ({ access }: Session, venId: string) =>
  access.version === '3.0' ? `vens/${encodeURIComponent(venId)}/resources` : 'resources'

interface Wish<Value> {
  readonly find: () => Promise<Value | undefined>
  readonly path: string
  /** Tried in this order, where the VTN refuses the shape. */
  readonly bodies: readonly unknown[]
  readonly read: (given: unknown) => Read<Value>
  readonly made?: ((id: string) => void) | undefined
  readonly taken: string
}

async function ensure<Value extends { readonly id: string }>(
  session: Session,
  { find, path, bodies, read, made, taken }: Wish<Value>,
): Promise<Value> {
  const found = await find()
  if (found) return found
  for (const [index, body] of bodies.entries()) {
    const isLast = index === bodies.length - 1
    const call: Call = { method: 'POST', path, body, accepted: isLast ? [409] : [400, 409, 422] }
    const answer = await session.call(call)
    if (answer.status === 400 || answer.status === 422) continue
    const isMade = answer.status !== 409
    const shown = isMade && answer.body !== '' ? read(parsedBody(answer, `POST ${path}`)) : undefined
    const there = shown && 'value' in shown ? shown.value : await find()
    if (there && isMade) made?.(there.id)
    if (there) return there
    throw new VtnFailure('refused', `POST ${path}: the name is taken`, taken, { status: answer.status })
  }
  throw new VtnFailure(
    'refused',
    `POST ${path}: the VTN refuses every shape of the body`,
    'Which version of OpenADR 3 does the VTN have?',
  )
}

import { asReadOnly, type ExportedDatapoint, overridableIn, type TechnicalSystem } from '@plantroom/contract/datapoint'
import type { ImitatedSystem } from '@plantroom/contract/fleet-simulation'

type Shape = Omit<ExportedDatapoint, 'id' | 'connectionId'>

/** The technical system of an imitated controller: its ids, and shapes of datapoints that the whole fleet shares. */
export interface ControlledSystem {
  readonly connectionId: string
  readonly datapointIds: readonly string[]
  /** The meter of its power limit, where it has one. */
  readonly meterId?: string
  exported(): ExportedDatapoint[]
  /** The datapoint, if there is one and it can be written. */
  writable(datapointId: string): Shape | undefined
}

/** Creates the system that an earlier run has commissioned. */
export function knownSystem(ids: ImitatedSystem, shapes: readonly Shape[]): ControlledSystem {
  const { connectionId, datapointIds } = ids
  return {
    connectionId,
    datapointIds,
    exported: () =>
      datapointIds.flatMap((id, place) => {
        const shape = shapes[place]
        return shape ? [{ id, connectionId, ...shape }] : []
      }),
    writable(datapointId) {
      const shape = shapes[datapointIds.indexOf(datapointId)]
      return shape && shape.accessType !== 'READ' ? shape : undefined
    },
  }
}

/** Lists of shapes that are in use, by their text: thousands of controllers are commissioned with the same one. */
const sharedShapes = new Map<string, readonly Shape[]>()
const MOST_SHARED = 1_000

/** Takes a system as the `commission` command brings it. Only its first connection is imitated. */
export function controlledSystem(system: TechnicalSystem): ControlledSystem | undefined {
  const { id, connections } = system
  const [connection] = connections
  if (!connection) return undefined
  const { datapoints } = connection
  const isOverridable = overridableIn([system])
  const usable = datapoints.map((point) => (isOverridable(point) ? point : asReadOnly(point)))
  const shapes = shared(usable.map(({ id: _id, connectionId: _connection, ...shape }) => shape))
  const ids = { id, connectionId: connection.id, datapointIds: datapoints.map((point) => point.id) }
  return { ...knownSystem(ids, shapes), ...(system.powerLimit && { meterId: system.powerLimit.meterId }) }
}

function shared(shapes: readonly Shape[]): readonly Shape[] {
  // Systems differ in the time of their commissioning, which nobody asks an imitated controller for.
  const alike = shapes.map((shape) => ({ ...shape, createdAt: EPOCH, updatedAt: EPOCH }))
  const text = JSON.stringify(alike)
  const known = sharedShapes.get(text)
  if (known) return known
  if (sharedShapes.size >= MOST_SHARED) sharedShapes.clear()
  sharedShapes.set(text, alike)
  return alike
}

const EPOCH = '1970-01-01T00:00:00.000Z'

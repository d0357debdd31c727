import type { CommandReply, CommandRequest } from '@plantroom/contract/commands'
import type { ExportedDatapoint, Limits } from '@plantroom/contract/datapoint'
import type { Client } from './client.ts'

const PAGE = 1000

/** An override to place, with a `reqId` of the caller's choice. */
export interface Override extends CommandRequest<'demandResponseOverride'> {
  /** A UUID. To retry after a 502, send the override again with the same one: the controller ignores duplicates. */
  reqId?: string | undefined
}

/** The commands of one controller. Each one gets a random `reqId` unless the caller passes one. */
export interface Commands {
  /** Returns all datapoints of a connection. */
  datapoints(connectionId: string): Promise<ExportedDatapoint[]>
  values(connectionId: string): Promise<CommandReply<'getTechnicalConnectionValues'>>
  /** Returns what the controller enforces, by datapoint. Datapoints without limits are not in it. */
  limits(): Promise<ReadonlyMap<string, Limits>>
  /** Returns the unit of each datapoint that was commissioned with one. */
  units(): Promise<ReadonlyMap<string, string>>
  /** Places an override. The controller does not clamp the value; it refuses one outside its limits. Returns the `id` to cancel it with. */
  override(override: Override): Promise<{ id: string; reqId: string }>
  /** Cancels an override. Safe to repeat: it also succeeds if the override has ended or is already cancelled. */
  cancel(id: string, reqId?: string, reason?: string): Promise<{ success: boolean; reqId: string }>
}

type CommandClient = Pick<
  Client,
  | 'getTechnicalDataPoints'
  | 'getTechnicalConnectionValues'
  | 'demandResponseOverride'
  | 'demandResponseCancel'
  | 'listTechnicalSystems'
>

export function createCommands(
  client: CommandClient,
  { orgId, deviceId }: { orgId: string; deviceId: string },
): Commands {
  function fetchDatapoints(connectionId: string, offset: number) {
    const body = { reqId: crypto.randomUUID(), data: { connectionId, limit: PAGE, offset } }
    return client.getTechnicalDataPoints({ orgId, deviceId, body })
  }

  async function fetchCommissioned() {
    const { technicalSystems } = await client.listTechnicalSystems({ orgId, deviceId })
    return technicalSystems.flatMap(({ connections }) => connections.flatMap((each) => each.datapoints))
  }

  return {
    async datapoints(connectionId) {
      const found: ExportedDatapoint[] = []
      for (;;) {
        const { count, datapoints } = (await fetchDatapoints(connectionId, found.length)).data
        found.push(...datapoints)
        // The count may shrink between two pages, so an empty page also ends the list.
        if (found.length >= count || datapoints.length === 0) return found
      }
    },
    async values(id) {
      const body = { reqId: crypto.randomUUID(), data: { id } }
      return (await client.getTechnicalConnectionValues({ orgId, deviceId, body })).data
    },
    async limits() {
      const datapoints = await fetchCommissioned()
      return new Map(datapoints.flatMap(({ id, limits }) => (limits ? [[id, limits] as const] : [])))
    },
    async units() {
      const datapoints = await fetchCommissioned()
      return new Map(datapoints.flatMap(({ id, unit }) => (unit === undefined ? [] : [[id, unit] as const])))
    },
    async override({ reqId = crypto.randomUUID(), datapointId, value, from, to, reason }) {
      const body = { reqId, data: { datapointId, value, from, to, ...(reason !== undefined && { reason }) } }
      const { id } = (await client.demandResponseOverride({ orgId, deviceId, body })).data
      return { id, reqId }
    },
    async cancel(id, reqId = crypto.randomUUID(), reason) {
      const body = { reqId, data: { id, ...(reason !== undefined && { reason }) } }
      const { success } = (await client.demandResponseCancel({ orgId, deviceId, body })).data
      return { success, reqId }
    },
  }
}

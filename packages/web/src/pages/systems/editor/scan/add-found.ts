import { type CommissionedConnection, type CommissioningFile, fileOfFound } from '@plantroom/contract/commissioning'
import type { FoundConnection } from '@plantroom/contract/discovery'
import { endpointOf } from '@plantroom/contract/endpoint'

/**
 * Adds what a person picked from a scan to a file. Datapoints of equipment that the file has a connection to are added to
 * it, except for addresses that it has. Names are changed where they are taken.
 */
export function addFound(
  file: CommissioningFile,
  found: readonly FoundConnection[],
): { file: CommissioningFile; added: number } {
  const connections = [...file.connections]
  const nameConnection = nameUnlike(connections)
  let added = 0
  for (const each of fileOfFound('', found).connections) {
    const at = connections.findIndex((known) => equipmentOf(known) === equipmentOf(each))
    const known = connections[at]
    const datapoints = withNew(known?.datapoints ?? [], each.datapoints)
    added += datapoints.length - (known?.datapoints.length ?? 0)
    if (known) connections[at] = { ...known, datapoints }
    else connections.push({ ...each, name: nameConnection(each.name), datapoints })
  }
  const technicalSystem = file.technicalSystem || (connections[0]?.name ?? '')
  return { file: { ...file, technicalSystem, connections }, added }
}

/** Returns a key that is the same for connections that reach the same equipment. */
function equipmentOf({ protocol, settings }: CommissionedConnection): string {
  const { unitId = 1, deviceInstance = null, network = null, mac = null } = settings
  const unit = protocol === 'bacnet-ip' ? [deviceInstance, network, mac] : [unitId]
  return JSON.stringify([protocol, endpointOf({ protocol, settings }), ...unit])
}

type Datapoints = CommissionedConnection['datapoints']

function withNew(known: Datapoints, found: Datapoints): Datapoints {
  const addresses = new Set(known.map(addressOf))
  const nameDatapoint = nameUnlike(known)
  const fresh = found.filter((each) => !addresses.has(addressOf(each)))
  return [...known, ...fresh.map((each) => ({ ...each, name: nameDatapoint(each.name) }))]
}

const addressOf = ({ data }: Datapoints[number]) =>
  JSON.stringify(Object.entries(data).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Returns a function that numbers names that are taken, in linear time: a device may call all of its objects alike. */
function nameUnlike(others: readonly { name: string }[]): (wanted: string) => string {
  const taken = new Set(others.map(({ name }) => name))
  const copies = new Map<string, number>()
  return (wanted) => {
    let name = wanted
    let copy = copies.get(wanted) ?? 1
    while (taken.has(name)) {
      copy += 1
      name = `${wanted} ${copy}`
    }
    copies.set(wanted, copy)
    taken.add(name)
    return name
  }
}

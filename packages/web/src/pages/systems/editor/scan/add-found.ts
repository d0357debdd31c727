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
  let added = 0
  for (const each of fileOfFound('', found).connections) {
    const at = connections.findIndex((known) => equipmentOf(known) === equipmentOf(each))
    const known = connections[at]
    const datapoints = withNew(known?.datapoints ?? [], each.datapoints)
    added += datapoints.length - (known?.datapoints.length ?? 0)
    if (known) connections[at] = { ...known, datapoints }
    else connections.push({ ...each, name: freeName(each.name, new Set(connections.map(nameOf))), datapoints })
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
  const names = new Set(known.map(nameOf))
  const fresh = found.filter((each) => !addresses.has(addressOf(each)))
  const named = fresh.map((each) => {
    const name = freeName(each.name, names)
    names.add(name)
    return { ...each, name }
  })
  return [...known, ...named]
}

const addressOf = ({ data }: Datapoints[number]) =>
  JSON.stringify(Object.entries(data).toSorted(([one], [other]) => (one < other ? -1 : 1)))
const nameOf = ({ name }: { name: string }) => name

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted
  for (let copy = 2; taken.has(name); copy += 1) name = `${wanted} ${copy}`
  return name
}

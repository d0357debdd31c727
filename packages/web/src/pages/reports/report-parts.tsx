import { Badge, Stack, Text } from '@mantine/core'
import type { ReportEntry, ReportPhase } from '@plantroom/contract/reports'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { phases, reports } from '../../texts/reports.ts'
import { changeText, readBackText, reasonText } from './report-words.ts'
import classes from './reports.module.css'
import type { LoadedNames } from './use-reports.ts'

const COLOUR: Readonly<Record<ReportPhase, string>> = {
  applied: 'blue',
  released: 'green',
  'write-failed': 'red',
  'not-taken': 'orange',
}

export function Phase({ entry }: { entry: ReportEntry }) {
  return (
    <Stack gap={4} align="flex-start">
      <Badge variant="dot" color={COLOUR[entry.phase]} tt="none" fw={600}>
        {phases[entry.phase]}
      </Badge>
      <Text span size="sm">
        {reasonText(entry)}
      </Text>
    </Stack>
  )
}

export function Change({ entry }: { entry: ReportEntry }) {
  const readBack = readBackText(entry)
  return (
    <Stack gap={0}>
      <span className="figures">{changeText(entry)}</span>
      {readBack && (
        <Text span inherit fw={600} className="figures">
          {readBack}
        </Text>
      )}
    </Stack>
  )
}

interface Named {
  entry: ReportEntry
  loaded: LoadedNames
}

export function DeviceName({ entry: { deviceId }, loaded }: Named) {
  const { path } = useSite()
  const name = loaded.names.devices.get(deviceId)
  if (name === undefined) return <Gone id={deviceId} why={reports.removedDevice} isKnown={loaded.isComplete} />
  return (
    <Link to={path(`/devices/${deviceId}`)} inherit>
      {name}
    </Link>
  )
}

export function SystemName({ entry: { technicalSystemId }, loaded }: Named) {
  const system = loaded.names.systems.get(technicalSystemId)
  if (!system) return <Gone id={technicalSystemId} why={reports.notCommissioned} isKnown={loaded.isComplete} />
  return <span>{system.name}</span>
}

export function DatapointName({ entry: { datapointId, deviceId }, loaded }: Named) {
  const { path } = useSite()
  const datapoint = loaded.names.datapoints.get(datapointId)
  if (!datapoint) return <Gone id={datapointId} why={reports.notCommissioned} isKnown={loaded.isComplete} />
  return (
    <Stack gap={0} align="flex-start">
      <Link to={path(`/devices/${deviceId}?datapoint=${encodeURIComponent(datapointId)}`)} inherit>
        {datapoint.name}
      </Link>
      <Text span size="sm">
        {datapoint.connection}
      </Text>
    </Stack>
  )
}

/** Nothing is said of what has no name as long as names are on their way. */
function Gone({ id, why, isKnown }: { id: string; why: string; isKnown: boolean }) {
  return <span>{isKnown ? `${id} (${why})` : id}</span>
}

/** What programs and support ask for; closed until somebody wants it. */
export function Ids({ entry }: { entry: ReportEntry }) {
  const ids = [
    [reports.overrideId, entry.overrideId],
    [reports.requestId, entry.reqId],
    [reports.datapointId, entry.datapointId],
    [reports.entryId, entry.id],
  ] as const
  return (
    <details className={classes.ids}>
      <summary>{reports.ids}</summary>
      {ids.map(
        ([name, id]) =>
          id !== null && (
            <div key={name}>
              {name}: {id}
            </div>
          ),
      )}
    </details>
  )
}

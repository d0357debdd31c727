import { Badge, Card, Group, Paper, Stack, Table, Text } from '@mantine/core'
import type { ReportEntry, ReportPhase } from '@plantroom/contract/reports'
import { useSite } from '../../api/use-site.ts'
import { chartSearch } from '../../parts/chart/sources.ts'
import { Link } from '../../parts/link.tsx'
import { datapointHash } from '../../parts/link-to-datapoint.ts'
import { exactTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { phases, reports, titles } from '../../texts/reports.ts'
import { describeCaller, describeChange, describeInCharge, describeReadBack, describeReason } from './describe-entry.ts'
import classes from './reports.module.css'
import type { LoadedNames } from './use-reports.ts'

const HEADS = [
  reports.time,
  reports.code,
  reports.happened,
  reports.value,
  reports.datapoint,
  reports.system,
  reports.device,
]

/** The audit entries on a wide screen. */
export function ReportTable({ entries, loaded }: { entries: readonly ReportEntry[]; loaded: LoadedNames }) {
  const { site } = useSite()
  return (
    <Paper withBorder px="xs">
      <Table.ScrollContainer minWidth={900} type="native" tabIndex={0} role="region" aria-label={reports.listLabel}>
        <Table
          verticalSpacing="xs"
          horizontalSpacing="xs"
          highlightOnHover
          aria-label={reports.listLabel}
          fz="sm"
          className={classes.table}
        >
          <Table.Thead>
            <Table.Tr>
              {HEADS.map((head) => (
                <Table.Th key={head} scope="col">
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry) => (
              <Table.Tr key={`${entry.deviceId} ${entry.id}`}>
                <Table.Td className="figures" miw={120}>
                  {exactTime(entry.at, site.timeZone)}
                </Table.Td>
                <Table.Td miw={150}>
                  {titles[entry.code]}
                  <Ids entry={entry} />
                </Table.Td>
                <Table.Td miw={170}>
                  <Phase entry={entry} />
                </Table.Td>
                <Table.Td>
                  <Change entry={entry} unit={unitOf(entry, loaded)} />
                </Table.Td>
                <Table.Td>
                  <DatapointName entry={entry} loaded={loaded} />
                </Table.Td>
                <Table.Td>
                  <SystemName entry={entry} loaded={loaded} />
                </Table.Td>
                <Table.Td>
                  <DeviceName entry={entry} loaded={loaded} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

/** The audit entries on a phone. */
export function ReportCards({ entries, loaded }: { entries: readonly ReportEntry[]; loaded: LoadedNames }) {
  const { site } = useSite()
  return (
    <Stack component="ul" gap="sm" className={classes.list} aria-label={reports.listLabel}>
      {entries.map((entry) => (
        <li key={`${entry.deviceId} ${entry.id}`}>
          <Card withBorder padding="sm">
            <Stack gap={6}>
              <Group gap="xs" justify="space-between">
                <Text fw={600} size="sm">
                  {titles[entry.code]}
                </Text>
                <Text size="sm" className="figures">
                  {exactTime(entry.at, site.timeZone)}
                </Text>
              </Group>
              <Phase entry={entry} />
              <Change entry={entry} unit={unitOf(entry, loaded)} />
              <DatapointName entry={entry} loaded={loaded} />
              <Text size="sm" component="div">
                <SystemName entry={entry} loaded={loaded} /> · <DeviceName entry={entry} loaded={loaded} />
              </Text>
              <Ids entry={entry} />
            </Stack>
          </Card>
        </li>
      ))}
    </Stack>
  )
}

const COLORS: Readonly<Record<ReportPhase, string>> = {
  applied: 'blue',
  released: 'green',
  'write-failed': 'red',
  'not-taken': 'orange',
  limited: 'orange',
  interval: 'gray',
  tested: 'gray',
}

function Phase({ entry }: { entry: ReportEntry }) {
  const { path } = useSite()
  const caller = describeCaller(entry)
  return (
    <Stack gap={4} align="flex-start">
      <Badge variant="dot" color={COLORS[entry.phase]} fw={600}>
        {phases[entry.phase]}
      </Badge>
      <Text span size="sm">
        {describeReason(entry)}
      </Text>
      {caller && (
        <Text span size="sm" className={classes.caller}>
          {caller}
        </Text>
      )}
      {isEdgeOfHold(entry) && (
        <Link size="sm" to={path(`/charts?${chartSearch([entry], { hold: entry.at })}`)}>
          {reports.beforeAndAfter}
        </Link>
      )}
    </Stack>
  )
}

/** Reports whether a hold began or ended: one that was cancelled before its start never held anything. */
const isEdgeOfHold = ({ phase, value }: ReportEntry) => phase === 'applied' || (phase === 'released' && value !== null)

const unitOf = ({ datapointId }: ReportEntry, { names }: LoadedNames) => names.datapoints.get(datapointId)?.unit

export function Change({ entry, unit }: { entry: ReportEntry; unit: string | undefined }) {
  const readBack = describeReadBack(entry, unit)
  const inCharge = describeInCharge(entry, unit)
  return (
    <Stack gap={0}>
      <span className="figures">{describeChange(entry, unit)}</span>
      {readBack && (
        <Text span inherit fw={600} className="figures">
          {readBack}
        </Text>
      )}
      {inCharge && (
        <Text span inherit className="figures">
          {inCharge}
        </Text>
      )}
    </Stack>
  )
}

interface Named {
  entry: ReportEntry
  loaded: LoadedNames
}

function DeviceName({ entry: { deviceId }, loaded }: Named) {
  const { path } = useSite()
  const name = loaded.names.devices.get(deviceId)
  if (name === undefined) return <Unnamed id={deviceId} message={reports.removedDevice} isKnown={loaded.isComplete} />
  return (
    <Link to={path(`/devices/${deviceId}`)} inherit>
      {name}
    </Link>
  )
}

function SystemName({ entry: { technicalSystemId }, loaded }: Named) {
  const system = loaded.names.systems.get(technicalSystemId)
  if (!system) return <Unnamed id={technicalSystemId} message={reports.notCommissioned} isKnown={loaded.isComplete} />
  return <span>{system.name}</span>
}

function DatapointName({ entry: { datapointId, deviceId }, loaded }: Named) {
  const { path } = useSite()
  const datapoint = loaded.names.datapoints.get(datapointId)
  if (!datapoint) return <Unnamed id={datapointId} message={reports.notCommissioned} isKnown={loaded.isComplete} />
  return (
    <Stack gap={0} align="flex-start">
      <Link to={path(`/devices/${deviceId}${datapointHash(datapointId)}`)} inherit>
        {datapoint.name}
      </Link>
      <Text span size="sm">
        {datapoint.connection}
      </Text>
    </Stack>
  )
}

/** An id without a name. Says why only once all names are loaded. */
function Unnamed({ id, message, isKnown }: { id: string; message: `${string}{id}${string}`; isKnown: boolean }) {
  return <span>{isKnown ? format(message, { id }) : id}</span>
}

/** The ids that programs and support need, collapsed. */
function Ids({ entry }: { entry: ReportEntry }) {
  const ids = [
    [reports.overrideId, entry.overrideId],
    [reports.requestId, entry.reqId],
    [reports.datapointId, entry.datapointId],
    [reports.entryId, entry.id],
  ] as const
  return (
    <details className={classes.ids}>
      <summary>{reports.ids}</summary>
      {ids.map(([name, id]) => id !== null && <div key={name}>{format(common.fact, { name, value: id })}</div>)}
    </details>
  )
}

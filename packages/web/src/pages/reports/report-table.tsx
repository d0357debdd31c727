import { Paper, Table } from '@mantine/core'
import type { ReportEntry } from '@plantroom/contract/reports'
import { useSite } from '../../api/use-site.ts'
import { exactTime } from '../../parts/time.ts'
import { reports } from '../../texts/reports.ts'
import { Change, DatapointName, DeviceName, Ids, Phase, SystemName } from './report-parts.tsx'
import classes from './reports.module.css'
import type { LoadedNames } from './use-reports.ts'

const HEADS = [
  reports.time,
  reports.what,
  reports.happened,
  reports.value,
  reports.datapoint,
  reports.system,
  reports.device,
]

/** The list where there is room for a table. */
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
                  {entry.title}
                  <Ids entry={entry} />
                </Table.Td>
                <Table.Td miw={170}>
                  <Phase entry={entry} />
                </Table.Td>
                <Table.Td>
                  <Change entry={entry} />
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

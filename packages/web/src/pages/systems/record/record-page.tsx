import { Button, Code, Group, List, Stack, Text, Title } from '@mantine/core'
import type { CommissioningRecord, RecordedTest } from '@plantroom/contract/api'
import { PROTOCOL_LABELS } from '@plantroom/contract/protocols'
import { useOperation } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { Link } from '../../../parts/link.tsx'
import { QueryView } from '../../../parts/notices.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { useLightOnPaper } from '../../../parts/printing.ts'
import { saveAs } from '../../../parts/save-as.ts'
import { fullTime } from '../../../parts/time.ts'
import { shownValue } from '../../../parts/value.ts'
import { format } from '../../../texts/format.ts'
import { outputTests } from '../../../texts/output-tests.ts'
import { record as texts } from '../../../texts/record.ts'
import { schedules } from '../../../texts/schedules.ts'
import { systems } from '../../../texts/systems.ts'
import { addressText } from '../editor/address-text.ts'
import { describeWho } from '../review/describe-change.ts'
import { describeRange } from '../schedules/describe-limits.ts'
import classes from './record.module.css'

/** The record of a commissioning, to print, to keep and to hand over. */
export function RecordPage({ deviceId }: { deviceId: string }) {
  const { may, path } = useSite()
  const query = useOperation('getCommissioningRecord', { deviceId })
  useLightOnPaper()
  if (!may('admin')) return <PageHead title={texts.title}>{systems.forAdmins}</PageHead>
  return (
    <>
      <div className={classes.screenOnly}>
        <Link to={path('/settings/systems')} size="sm" display="inline-block" mb="xs">
          {texts.back}
        </Link>
      </div>
      <PageHead
        title={texts.title}
        actions={
          query.data && (
            <Group gap="sm" className={classes.screenOnly}>
              <Button variant="default" onClick={() => saveAs(FILE_NAME, `${JSON.stringify(query.data, null, 2)}\n`)}>
                {texts.download}
              </Button>
              <Button onClick={() => window.print()}>{texts.print}</Button>
            </Group>
          )
        }
      >
        {texts.intro}
      </PageHead>
      <QueryView query={query}>
        {({ record, hash, signed }) => (
          <Stack gap="xl">
            <Facts record={record} />
            {record.systems.map((system) => (
              <System key={system.technicalSystemId} system={system} timeZone={record.site.timeZone} />
            ))}
            <RolledBack record={record} />
            <Tests tests={record.tests} timeZone={record.site.timeZone} />
            <div>
              <Text size="sm">{texts.signed}</Text>
              <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {`SHA-256 ${hash}\nEd25519 ${signed.signature}`}
              </Code>
            </div>
          </Stack>
        )}
      </QueryView>
    </>
  )
}

const FILE_NAME = 'commissioning-record.json'

function Facts({ record: { at, site, device } }: { record: CommissioningRecord }) {
  return (
    <List listStyleType="none" size="sm">
      <List.Item>{format(texts.site, { name: site.name })}</List.Item>
      <List.Item>{format(texts.device, { name: device.name, id: device.id })}</List.Item>
      {device.software !== null && <List.Item>{format(texts.software, { version: device.software })}</List.Item>}
      <List.Item>{format(texts.made, { time: fullTime(at, site.timeZone) })}</List.Item>
    </List>
  )
}

function System({
  system: { file, version, at, by, warnings },
  timeZone,
}: {
  system: CommissioningRecord['systems'][number]
  timeZone: string
}) {
  const rows = file.connections.flatMap(({ name: connection, datapoints }) =>
    datapoints.map((datapoint) => ({ connection, ...datapoint })),
  )
  const loaded = { version: version ?? 0, time: at === null ? '' : fullTime(at, timeZone), who: describeWho(by) }
  return (
    <Stack gap="xs" component="section" aria-label={file.technicalSystem}>
      <Title order={2} size="h3">
        {file.technicalSystem}
      </Title>
      <Text size="sm">{at === null ? schedules.history.before : format(texts.loaded, loaded)}</Text>
      {file.templates && (
        <Text size="sm">{format(schedules.history.templates, { names: file.templates.join(', ') })}</Text>
      )}
      <Text size="sm" fw={600}>
        {format(texts.warnings, { count: warnings.length })}
      </Text>
      {warnings.length > 0 && (
        <List size="sm">
          {warnings.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <Code>{path}</Code> {message}
            </List.Item>
          ))}
        </List>
      )}
      <List size="sm">
        {file.connections.map(({ name, protocol, settings }) => (
          <List.Item key={name}>
            {name} ({PROTOCOL_LABELS[protocol]}): <Code>{addressText(settings)}</Code>
          </List.Item>
        ))}
      </List>
      <CardTable
        label={format(systems.connectionsLabel, { system: file.technicalSystem })}
        rows={rows}
        keyOf={({ connection, name }) => `${connection}/${name}`}
        columns={[
          { head: texts.columns.datapoint, name: true, cell: ({ name }) => name },
          { head: texts.columns.connection, cell: ({ connection }) => connection },
          { head: texts.columns.access, cell: ({ accessType }) => texts.access[accessType] },
          { head: texts.columns.unit, cell: ({ unit }) => unit ?? '–' },
          {
            head: schedules.range,
            cell: ({ writeInputData, unit }) => describeRange({ limits: writeInputData ?? {}, unit }) || '–',
          },
          { head: texts.columns.address, cell: ({ data }) => <Code>{addressText(data)}</Code> },
        ]}
      />
    </Stack>
  )
}

function RolledBack({ record: { rolledBack, site } }: { record: CommissioningRecord }) {
  if (rolledBack.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label={texts.rolledBack}>
      <Title order={2} size="h3">
        {texts.rolledBack}
      </Title>
      <List size="sm">
        {rolledBack.map(({ version, technicalSystem, rolledBack: how }) => (
          <List.Item key={version}>
            {technicalSystem}, {version}:{' '}
            {how &&
              format(schedules.history.wentBack[how.reason], {
                time: fullTime(how.at, site.timeZone),
                lost: how.lost.join(', '),
              })}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

function Tests({ tests, timeZone }: { tests: readonly RecordedTest[]; timeZone: string }) {
  const { columns } = outputTests
  return (
    <Stack gap="xs" component="section" aria-label={outputTests.title}>
      <Title order={2} size="h3">
        {outputTests.title}
      </Title>
      {tests.length === 0 ? (
        <Text size="sm">{texts.noTests}</Text>
      ) : (
        <CardTable
          label={outputTests.title}
          rows={tests}
          keyOf={({ id }) => id}
          columns={[
            {
              head: columns.output,
              name: true,
              cell: ({ datapoint, connection }) => (connection ? `${datapoint.name} (${connection})` : datapoint.name),
            },
            {
              head: columns.time,
              cell: ({ startedAt, result, by }) => (
                <>
                  <Text size="sm">{fullTime(startedAt, timeZone)}</Text>
                  {result !== null && <Text size="sm">{`– ${fullTime(result.at, timeZone)}`}</Text>}
                  {by !== null && <Text size="sm">{format(outputTests.by, { name: by })}</Text>}
                </>
              ),
            },
            {
              head: texts.columns.tested,
              cell: ({ value, seconds, unit }) =>
                format(outputTests.for, { value: shownValue(value, unit ?? undefined), seconds }),
            },
            {
              head: columns.readings,
              cell: (test) => (
                <>
                  <Text size="sm">{readingsOf(test, 'value', test.unit)}</Text>
                  {test.result?.reason === 'cancelled' && <Text size="sm">{outputTests.cancelled}</Text>}
                  {test.result?.reason === 'superseded' && <Text size="sm">{outputTests.superseded}</Text>}
                </>
              ),
            },
            {
              head: columns.meter,
              cell: (test) => (test.meter ? `${test.meter.name}: ${readingsOf(test, 'meter', test.meterUnit)}` : '–'),
            },
            {
              head: columns.moved,
              cell: ({ moved, note }) => (
                <>
                  <Text size="sm">
                    {moved === null ? outputTests.unanswered : moved ? outputTests.yes : outputTests.no}
                  </Text>
                  {note !== null && <Text size="sm">{note}</Text>}
                </>
              ),
            },
          ]}
        />
      )}
    </Stack>
  )
}

function readingsOf({ result }: RecordedTest, of: 'value' | 'meter', unit: string | null): string {
  if (!result) return outputTests.noResult
  return [result.before, result.held, result.after]
    .map((part) => shownValue(part?.[of] ?? null, unit ?? undefined))
    .join(' → ')
}

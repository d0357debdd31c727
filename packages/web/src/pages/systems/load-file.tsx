import { Alert, Badge, Button, Code, FileButton, Group, List, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiError } from '@plantroom/client/http'
import type { Device } from '@plantroom/contract/api'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { joinFacts } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { findText, format } from '../../texts/format.ts'
import { systems } from '../../texts/systems.ts'
import {
  type Change,
  type CommissioningChanges,
  type ConnectionChange,
  changesOf,
  type NamedChange,
} from './commissioning-changes.ts'
import { CommissioningFileError, fileErrorsIn, readCommissioningFile } from './commissioning-file.ts'

const texts = systems.load

interface ReadFile {
  file: CommissioningFile
  changes: CommissioningChanges
}

/** Loads a commissioning file onto a controller after showing what it changes. */
export function LoadFile({ device, onClose }: { device: Device; onClose: () => void }) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const read = useMutation({ mutationFn: (chosen: File) => readWithChanges(orgId, device.id, chosen) })
  const load = useMutation({
    mutationFn: ({ file }: ReadFile) => api.commission({ orgId, deviceId: device.id, body: file }),
    async onSuccess({ warnings }, { file, changes }) {
      await client.invalidateQueries({ queryKey: ['technical-systems', orgId, device.id] })
      const done = changes.system === 'removed' ? texts.gone : texts.done
      notifications.show({ message: format(done, { system: file.technicalSystem }) })
      if (warnings) notifications.show({ ...describeWarnings(warnings), color: 'orange', autoClose: false })
      onClose()
    },
  })

  const forget = useRef<() => void>(null)
  function choose(chosen: File | null): void {
    if (!chosen) return
    // Without a reset, choosing the same file again would not count as a change.
    forget.current?.()
    load.reset()
    read.mutate(chosen)
  }

  const ready = read.data
  const canLoad = ready && ready.changes.system !== 'same' && ready.changes.system !== 'absent'
  return (
    <Modal opened onClose={onClose} title={format(texts.title, { device: device.name })} size="lg">
      <Stack>
        <Text size="sm">{texts.hint}</Text>
        {!device.online && <Alert color="orange" variant="light" role="status" title={texts.offlineNow} />}
        <Group>
          <FileButton resetRef={forget} onChange={choose} inputProps={{ 'aria-label': texts.input }}>
            {(props) => (
              <Button {...props} variant={ready ? 'default' : 'filled'} loading={read.isPending} data-autofocus>
                {ready ? texts.another : texts.choose}
              </Button>
            )}
          </FileButton>
          {read.variables && <Text size="sm">{read.variables.name}</Text>}
        </Group>
        {read.error && <LoadError error={read.error} />}
        {ready && <ChangesView system={ready.file.technicalSystem} changes={ready.changes} />}
        {load.error && <LoadError error={load.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          {canLoad && (
            <Button
              color={ready.changes.system === 'removed' ? 'red' : undefined}
              onClick={() => load.mutate(ready)}
              loading={load.isPending}
            >
              {ready.changes.system === 'removed' ? texts.remove : texts.submit}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

const WARNINGS_SHOWN = 5

function describeWarnings(warnings: readonly { path: string; message: string }[]) {
  const shown = warnings.slice(0, WARNINGS_SHOWN).map((warning) => format(texts.warning, warning))
  const more = warnings.length - shown.length
  return {
    title: format(texts.warnings, { count: warnings.length }),
    message: joinFacts([...shown, more > 0 && format(texts.moreWarnings, { count: more })]),
  }
}

async function readWithChanges(orgId: string, deviceId: string, chosen: File): Promise<ReadFile> {
  const file = await readCommissioningFile(chosen)
  const { technicalSystems: loaded } = await api.listTechnicalSystems({ orgId, deviceId })
  const before = loaded.find(({ name }) => name === file.technicalSystem)
  const now = before && (await api.getCommissioningFile({ orgId, deviceId, systemId: before.id }))
  return { file, changes: changesOf(now, file) }
}

const changeTexts = systems.changes
const SHOWN = 20
const COLORS: Record<Change, string> = { new: 'green', changed: 'yellow', removed: 'red' }

/** What loading a file would change. */
function ChangesView({ system, changes }: { system: string; changes: CommissioningChanges }) {
  const { connections, schedules, peakShaving } = changes
  return (
    <Stack gap="sm">
      <Text role="status" fw={600}>
        {format(changeTexts.system[changes.system], { system })}
      </Text>
      {connections.map((connection) => (
        <Connection key={connection.name} connection={connection} />
      ))}
      {peakShaving && <Line change={peakShaving}>{changeTexts.peak}</Line>}
      {schedules.map(({ name, change }) => (
        <Line key={name} change={change}>
          {format(changeTexts.schedule, { name })}
        </Line>
      ))}
    </Stack>
  )
}

function Connection({ connection }: { connection: ConnectionChange }) {
  const { name, change, fields, datapoints, unchanged } = connection
  return (
    <div>
      <Line change={change} fields={fields}>
        {format(changeTexts.connection, { name })}
      </Line>
      <List size="sm" listStyleType="none" pl="lg" mt={4}>
        {datapoints.slice(0, SHOWN).map((datapoint) => (
          <List.Item key={`${datapoint.change} ${datapoint.name}`} mb={4}>
            <Line change={datapoint.change} fields={datapoint.fields}>
              {datapoint.name}
            </Line>
          </List.Item>
        ))}
        {datapoints.length > SHOWN && (
          <List.Item>{format(changeTexts.more, { count: datapoints.length - SHOWN })}</List.Item>
        )}
        {unchanged > 0 && <List.Item>{format(changeTexts.unchanged, { count: unchanged })}</List.Item>}
      </List>
    </div>
  )
}

function Line({ change, fields = [], children }: Partial<NamedChange> & { change: Change; children: string }) {
  const what = fields.map((field) => findText(changeTexts.fields, field) ?? field).join(', ')
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Badge color={COLORS[change]} variant="light" c="inherit" miw={90} style={{ flexShrink: 0 }}>
        {changeTexts.kinds[change]}
      </Badge>
      <Text size="sm">{what ? format(changeTexts.withFields, { name: children, fields: what }) : children}</Text>
    </Group>
  )
}

/** Why a file was not loaded: its errors one by one, an offline controller, or another failure. */
function LoadError({ error }: { error: Error }) {
  if (error instanceof CommissioningFileError)
    return <Alert color="red" variant="light" role="alert" title={error.message} />
  if (!(error instanceof ApiError)) return <ErrorNotice error={error} />
  if (error.status === 502) return <Alert color="red" variant="light" role="alert" title={texts.offline} />
  if (error.status !== 400 && error.status !== 499) return <ErrorNotice error={error} />
  const errors = fileErrorsIn(error.message)
  const isSentence = errors.every(({ path }) => path === '')
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={isSentence ? texts.refused : format(texts.mistakes, { count: errors.length })}
    >
      <List size="sm" listStyleType={isSentence ? 'none' : 'disc'}>
        {errors.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            {path && <Code>{path}</Code>} {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

import { Button, Group, Paper, Progress, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import type { EquipmentScan, FoundConnection } from '@plantroom/contract/discovery'
import { PROTOCOL_LABELS, type Protocol } from '@plantroom/contract/protocols'
import { SCANNED_PROTOCOLS } from '@plantroom/contract/scan-target'
import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '../../../../parts/notices.tsx'
import { SmallButton } from '../../../../parts/small-button.tsx'
import { sentence } from '../../../../parts/value.ts'
import { editor } from '../../../../texts/editor.ts'
import { format } from '../../../../texts/format.ts'
import { scan as texts } from '../../../../texts/scan.ts'
import { LineInput } from '../line-input.tsx'
import { addFound } from './add-found.ts'
import { FoundEquipment, type Picked, Warnings } from './found-equipment.tsx'
import { hasUnits, isSerial, NEW_TARGET, readTarget, SERIAL, usualUnits } from './read-target.ts'
import { useScan } from './use-scan.ts'

/** Looks for equipment through a controller, and adds what a person picks to the file. */
export function ScanPanel({
  deviceId,
  file,
  onAdd,
}: {
  deviceId: string
  file: CommissioningFile
  onAdd: (file: CommissioningFile) => void
}) {
  const scanning = useScan(deviceId)
  const [picked, setPicked] = useState<ReadonlyMap<number, Picked>>(new Map())
  const [outcome, setOutcome] = useState<string>()
  const { scan, isRunning } = scanning
  const connections = scan?.connections ?? []
  const chosen = chosenOf(connections, picked)
  const count = chosen.reduce((sum, { datapoints }) => sum + datapoints.length, 0)

  return (
    <Paper withBorder p="md" component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {texts.title}
        </Title>
        <Text size="sm">{texts.intro}</Text>
        <TargetForm
          isBusy={scanning.isStarting || isRunning}
          onScan={(target) => {
            setPicked(new Map())
            setOutcome(undefined)
            scanning.start(target)
          }}
        />
        {scanning.error && <ErrorNotice error={scanning.error} title={texts.failed} />}
        {isRunning && scan && (
          <Group wrap="nowrap">
            <Progress
              flex={1}
              aria-label={texts.progress}
              value={scan.of === 0 ? 0 : Math.min(100, (100 * scan.done) / scan.of)}
            />
            <SmallButton loading={scanning.cancel.isPending} onClick={() => scanning.cancel.mutate()}>
              {texts.stop}
            </SmallButton>
          </Group>
        )}
        <Text size="sm" role="status">
          {scan && describeScan(scan)}
        </Text>
        {scan && scan.warnings.length > 0 && <Warnings warnings={scan.warnings} />}
        {connections.map((connection, at) => (
          <FoundEquipment
            key={connection.name}
            connection={connection}
            picked={picked.get(at)}
            onPick={(next) => {
              setOutcome(undefined)
              setPicked(new Map([...picked, [at, next]]))
            }}
          />
        ))}
        {connections.length > 0 && (
          <Group>
            <Button
              disabled={chosen.length === 0}
              onClick={() => {
                const next = addFound(file, chosen)
                onAdd(next.file)
                setOutcome(describeAdded(file, next))
                setPicked(new Map())
              }}
            >
              {count > 0 ? format(texts.add, { count }) : format(texts.addConnections, { count: chosen.length })}
            </Button>
            <Text size="sm" role="status">
              {outcome}
            </Text>
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

function TargetForm({
  isBusy,
  onScan,
}: {
  isBusy: boolean
  onScan: (target: Exclude<ReturnType<typeof readTarget>, { problem: string }>) => void
}) {
  const [draft, setDraft] = useState(NEW_TARGET)
  const [problem, setProblem] = useState<string>()
  function change(changed: Partial<typeof draft>): void {
    setProblem(undefined)
    setDraft({ ...draft, ...changed })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    const target = readTarget(draft)
    if ('problem' in target) setProblem(target.problem)
    else onScan(target)
  }
  return (
    <form onSubmit={submit} noValidate aria-label={texts.form}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={editor.protocol}
            data={SCANNED_PROTOCOLS.map((value) => ({ value, label: PROTOCOL_LABELS[value] }))}
            value={draft.protocol}
            allowDeselect={false}
            onChange={(chosen) =>
              chosen && change({ protocol: chosen as Protocol, more: chosen === 'modbus-rtu' ? SERIAL : {} })
            }
          />
          <TextInput
            label={isSerial(draft) ? texts.path : texts.host}
            description={isSerial(draft) ? texts.pathHint : texts.hostHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={draft.where}
            error={problem}
            spellCheck={false}
            autoCapitalize="off"
            onChange={({ currentTarget }) => change({ where: currentTarget.value })}
          />
          {hasUnits(draft) && (
            <TextInput
              label={texts.units}
              placeholder={usualUnits(draft)}
              value={draft.units}
              onChange={({ currentTarget }) => change({ units: currentTarget.value })}
            />
          )}
          <LineInput
            label={texts.moreSettings}
            value={draft.more}
            error={undefined}
            onChange={(more) => change({ more })}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" variant="default" loading={isBusy}>
            {texts.start}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Returns what was picked, with only the picked datapoints. */
const chosenOf = (connections: readonly FoundConnection[], picked: ReadonlyMap<number, Picked>) =>
  connections.flatMap((connection, at) => {
    const own = picked.get(at)
    return own ? [{ ...connection, datapoints: connection.datapoints.filter((_, place) => own.has(place)) }] : []
  })

function describeAdded(before: CommissioningFile, { file, added }: ReturnType<typeof addFound>): string {
  if (added > 0) return format(texts.added, { count: added })
  return file.connections.length > before.connections.length ? texts.addedConnections : texts.known
}

function describeScan({ state, done, of, connections, error }: EquipmentScan): string {
  const count = connections.length
  if (state === 'running') return format(texts.running, { done, of, count })
  if (state === 'failed') return format(texts.ended.failed, { reason: sentence(error) })
  if (count === 0) return state === 'done' ? texts.nothing : texts.stoppedWithNothing
  return format(texts.ended[state], { count })
}

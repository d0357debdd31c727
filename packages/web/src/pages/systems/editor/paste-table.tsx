import { Alert, Button, FileButton, Group, List, Stack, Text, Textarea } from '@mantine/core'
import type { CommissionedDatapoint } from '@plantroom/contract/commissioning'
import { textOfFile } from '@plantroom/contract/text-of-file'
import { type DragEvent, useDeferredValue, useMemo, useState } from 'react'
import { pasteAtOnce } from '../../../parts/paste-at-once.ts'
import { editor } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'
import { systems } from '../../../texts/systems.ts'
import { readDatapointTable } from './datapoint-csv.ts'

const texts = editor.csv
const SHOWN = 20
/** Far more than a file may have. */
const MAX_CHARACTERS = 3_000_000

/** Takes datapoints from a table that a person pastes or drops. */
export function PasteTable({
  known,
  onAdd,
}: {
  known: readonly string[]
  onAdd: (datapoints: CommissionedDatapoint[]) => void
}) {
  const [text, setText] = useState('')
  const given = useDeferredValue(text)
  const { datapoints, problems } = useMemo(() => readDatapointTable(given, new Set(known)), [given, known])
  const change = (next: string) => setText(next.slice(0, MAX_CHARACTERS))
  async function read(file: File | null): Promise<void> {
    if (file) change(textOfFile(new Uint8Array(await file.arrayBuffer())))
  }
  async function drop(event: DragEvent): Promise<void> {
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    await read(file)
  }
  return (
    <Stack gap="xs">
      <Textarea
        label={texts.label}
        description={texts.hint}
        placeholder={'name;access;unit;register;type'}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onPaste={pasteAtOnce(change)}
        onDrop={(event) => void drop(event)}
        rows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      />
      {problems.length > 0 && (
        <Alert color="red" variant="light" role="alert" title={format(texts.mistakes, { count: problems.length })}>
          <List size="sm">
            {problems.slice(0, SHOWN).map(({ row, message }) => (
              <List.Item key={`${row} ${message}`}>{format(texts.at, { row, message })}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Group>
        <Button disabled={datapoints.length === 0 || given !== text} onClick={() => onAdd(datapoints)}>
          {format(texts.add, { count: datapoints.length })}
        </Button>
        <FileButton onChange={(file) => void read(file)} inputProps={{ 'aria-label': systems.load.choose }}>
          {(props) => (
            <Button {...props} variant="default">
              {systems.load.choose}
            </Button>
          )}
        </FileButton>
        {problems.length > 0 && <Text size="sm">{texts.rest}</Text>}
      </Group>
    </Stack>
  )
}

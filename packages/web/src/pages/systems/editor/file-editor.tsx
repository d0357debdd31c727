import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Device } from '@plantroom/contract/api'
import { type CommissioningFile, measuredPart } from '@plantroom/contract/commissioning'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../api/service.ts'
import { unsavedWork } from '../../../api/unsaved-work.ts'
import { useSite } from '../../../api/use-site.ts'
import { FormBesideFile } from '../../../parts/form-beside-file.tsx'
import { showUndo, UndoRefused } from '../../../parts/undo.tsx'
import { editor as texts } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'
import { scan } from '../../../texts/scan.ts'
import { systems } from '../../../texts/systems.ts'
import { outcomeOf, Review } from '../review/review.tsx'
import { useReview } from '../review/use-review.ts'
import { ConnectionFields, newConnection } from './connection-fields.tsx'
import { putBack, type Removal, without } from './removal.ts'
import { ScanPanel } from './scan/scan-panel.tsx'
import { isUnsaved, type Start, seenOf, type Work } from './start.ts'
import { useFileEditor } from './use-file-editor.ts'

/** A commissioning file as a form and as a file, and what loading it would change. Kept under the key `work`. */
export function FileEditor({ device, work: key, start }: { device: Device; work: string; start: Start }) {
  const { orgId } = useSite()
  const editor = useFileEditor(start)
  const { draft, problems, changeForm, isFileBroken, text } = editor
  const [saved, setSaved] = useState(start)
  const [reviewed, setReviewed] = useState<CommissioningFile>()
  const [isScanning, setIsScanning] = useState(false)
  const change = (changed: Partial<CommissioningFile>) => changeForm({ ...draft, ...changed })
  const now = useNow({ draft, isFileBroken })
  useEffect(() => {
    const work: Work = { start: saved, draft, text: isFileBroken ? text : undefined }
    unsavedWork.keep(key, work, () => isUnsaved(work))
  }, [key, saved, draft, isFileBroken, text])

  const review = useReview(device.id, ({ file }) => {
    notifications.show({ message: format(systems.load.done, { system: file.technicalSystem }), color: 'green' })
    review.check.reset()
    const loaded = reviewed ?? file
    setSaved({ ...saved, saved: loaded, base: undefined })
    void api
      .checkCommissioning({ orgId, deviceId: device.id, body: { ...loaded } })
      .then(({ base }) => setSaved((before) => (before.saved === loaded ? { ...before, base } : before)))
      // Without it, the next check says what changes, and not by whom.
      .catch(() => {})
  })

  function remove(removal: Removal): void {
    changeForm(without(draft, removal))
    const { connection, datapoint } = removal
    const name = (datapoint ? datapoint.removed.name : connection.name) || texts.unnamed
    showUndo(format(texts.removed, { name }), async () => {
      const current = now.current
      const next = current && !current.isFileBroken ? putBack(current.draft, removal) : undefined
      if (!next) throw new UndoRefused(texts.notPutBack)
      changeForm(next)
    })
  }

  const isReady = problems.size === 0 && !isFileBroken
  const outcome = outcomeOf(review.check.data)
  const isReviewed = reviewed === draft
  return (
    <>
      <FormBesideFile texts={texts} editor={editor}>
        <Stack>
          <TextInput
            label={texts.system}
            description={texts.systemHint}
            value={draft.technicalSystem ?? ''}
            error={problems.get('technicalSystem')}
            onChange={({ currentTarget }) => change({ technicalSystem: currentTarget.value })}
          />
          {draft.connections.map((connection, at) => (
            <ConnectionFields
              // biome-ignore lint/suspicious/noArrayIndexKey: a name is edited, and connections have no other identity
              key={at}
              connection={connection}
              number={at + 1}
              problemAt={(field) => problems.get(`connections[${at}].${field}`)}
              onChange={(changed) => change({ connections: draft.connections.with(at, changed) })}
              onRemove={() => remove({ at, connection })}
              onRemoveDatapoint={(place) => {
                const removed = connection.datapoints[place]
                if (removed) remove({ at, connection, datapoint: { place, removed } })
              }}
              partOf={(datapoint) => measuredPart(draft, datapoint)}
              onRead={(address) => api.readEquipment({ orgId, deviceId: device.id, body: address })}
            />
          ))}
          <Group>
            <Button variant="default" onClick={() => change({ connections: [...draft.connections, newConnection()] })}>
              {texts.addConnection}
            </Button>
            <Button variant="default" aria-expanded={isScanning} onClick={() => setIsScanning(!isScanning)}>
              {scan.open}
            </Button>
          </Group>
          {isScanning && <ScanPanel deviceId={device.id} file={draft} onAdd={changeForm} />}
        </Stack>
      </FormBesideFile>
      <Stack mt="lg">
        <Group>
          <Button
            variant={review.check.data ? 'default' : 'filled'}
            disabled={!isReady}
            loading={review.check.isPending}
            onClick={() => {
              setReviewed(draft)
              review.start(draft, seenOf(saved, draft))
            }}
          >
            {texts.check}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {isReady ? texts.checkHint : format(texts.problems, { count: Math.max(problems.size, 1) })}
          </Text>
        </Group>
        {isReviewed && <Review review={review} />}
        {isReviewed && (outcome === 'load' || outcome === 'remove') && (
          <Group>
            <Button
              loading={review.load.isPending}
              color={outcome === 'remove' ? 'red' : undefined}
              onClick={() => review.check.data && review.load.mutate(review.check.data)}
            >
              {outcome === 'remove' ? systems.load.remove : systems.load.submit}
            </Button>
          </Group>
        )}
      </Stack>
    </>
  )
}

/** What the page shows now, for what is clicked later; `undefined` once it shows something else. */
function useNow<State>(state: State) {
  const now = useRef<State | undefined>(state)
  useEffect(() => {
    now.current = state
    return () => {
      now.current = undefined
    }
  })
  return now
}

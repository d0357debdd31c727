import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Device } from '@plantroom/contract/api'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Modal } from '../../parts/dialogs.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { systems } from '../../texts/systems.ts'
import { CommissioningFileError, type ReadFile, readCommissioningFile } from './commissioning-file.ts'
import { outcomeOf, Review } from './review/review.tsx'
import { useReview } from './review/use-review.ts'

const texts = systems.load

/** Loads a commissioning file onto a controller after showing its mistakes, or what it changes. */
export function LoadFile({ device, onClose }: { device: Device; onClose: () => void }) {
  const review = useReview(device.id, ({ file }, warnings) => {
    const done = file.connections.length === 0 ? texts.gone : texts.done
    notifications.show({
      message: format(done, { system: file.technicalSystem }),
      ...(warnings > 0 && { title: format(texts.warnings, { count: warnings }), color: 'orange' }),
    })
    onClose()
  })
  const read = useMutation({
    mutationFn: (chosen: File): Promise<ReadFile> => readCommissioningFile(chosen),
    onSuccess: ({ document }) => review.start(document),
  })

  const forget = useRef<() => void>(null)
  function choose(chosen: File | null): void {
    if (!chosen) return
    // Without a reset, choosing the same file again would not count as a change.
    forget.current?.()
    review.check.reset()
    read.mutate(chosen)
  }

  const outcome = outcomeOf(review.check.data)
  return (
    <Modal opened onClose={onClose} title={format(texts.title, { device: device.name })} size="xl">
      <Stack>
        <Text size="sm">{texts.hint}</Text>
        {!device.online && <Alert color="orange" variant="light" role="status" title={texts.offlineNow} />}
        <Group>
          <FileButton resetRef={forget} onChange={choose} inputProps={{ 'aria-label': texts.input }}>
            {(props) => (
              <Button
                {...props}
                variant={review.check.data ? 'default' : 'filled'}
                loading={read.isPending || review.check.isPending}
                data-autofocus
              >
                {review.check.data ? texts.another : texts.choose}
              </Button>
            )}
          </FileButton>
          {read.variables && <Text size="sm">{read.variables.name}</Text>}
        </Group>
        {read.error && <FileErrors error={read.error} />}
        {read.data && <Review review={review} lineOf={read.data.lineOf} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          {outcome !== 'none' && (
            <Button
              color={outcome === 'remove' ? 'red' : undefined}
              onClick={() => review.check.data && review.load.mutate(review.check.data)}
              loading={review.load.isPending}
            >
              {outcome === 'remove' ? texts.remove : texts.submit}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

/** Why a file cannot be read at all. */
function FileErrors({ error }: { error: Error }) {
  const reasons = error instanceof CommissioningFileError ? error.reasons : []
  return (
    <Alert color="red" variant="light" role="alert" title={error.message}>
      {reasons.map((reason) => (
        <Text key={reason} size="sm">
          {reason}
        </Text>
      ))}
    </Alert>
  )
}

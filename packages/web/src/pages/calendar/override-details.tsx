import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useRelease } from '../../api/use-release.ts'
import { useSite } from '../../api/use-site.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { shownValue } from '../../parts/value.ts'
import { calendar as texts } from '../../texts/calendar.ts'
import { common } from '../../texts/common.ts'
import { release as releaseTexts } from '../../texts/device.ts'
import { format } from '../../texts/format.ts'
import type { CalendarOverride, CalendarRow } from './calendar-rows.ts'
import { timesOf } from './describe-entry.ts'

/** One override, and a button that ends it while it has not ended. */
export function OverrideDetails({
  row,
  override,
  onClose,
}: {
  row: CalendarRow
  override: CalendarOverride
  onClose: () => void
}) {
  const { site, may, path } = useSite()
  const send = useRelease()
  const { id, state, deviceId, datapointId, placedByName, reason } = override
  const release = useMutation({
    mutationFn: (overrideId: string) => send(deviceId, overrideId, ''),
    onSuccess(waits) {
      notifications.show({ message: waits ? releaseTexts.waits : format(texts.released, { name: row.name }) })
      onClose()
    },
  })
  const canEnd = id !== null && state !== 'ended' && may('manager')
  return (
    <Modal opened onClose={onClose} title={row.name} centered>
      <Stack>
        <Group>
          <Text fw={600} size="lg" className="figures">
            {shownValue(override.value, row.unit)}
          </Text>
          <Badge variant="light" c="inherit">
            {texts.states[state]}
          </Badge>
        </Group>
        <Text className="figures">{format(texts.times, timesOf(override, site.timeZone))}</Text>
        {placedByName && <Text>{format(texts.placedBy, { name: placedByName })}</Text>}
        {reason && <Text>{format(texts.reason, { reason })}</Text>}
        <Text size="sm">{format(texts.row, { name: row.name, controller: row.device.name })}</Text>
        {canEnd && <Text size="sm">{state === 'active' ? texts.releaseHint : texts.queuedHint}</Text>}
        {release.error && <ErrorNotice error={release.error} />}
        <Group justify="space-between">
          <Link to={path(`/devices/${deviceId}?datapoint=${encodeURIComponent(datapointId)}`)}>{texts.toDevice}</Link>
          <Group>
            <Button variant="default" onClick={onClose} data-autofocus>
              {common.close}
            </Button>
            {canEnd && (
              <Button color="red.9" loading={release.isPending} onClick={() => release.mutate(id)}>
                {state === 'active' ? texts.release : texts.cancelQueued}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}

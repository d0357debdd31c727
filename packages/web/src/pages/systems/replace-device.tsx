import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import type { Device, Replacement } from '@plantroom/contract/api'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { replacement as texts } from '../../texts/replacement.ts'
import type { DeviceWithSecret } from './add-device.tsx'
import { describeReplacement, describeStatus } from './describe-replacement.ts'

/** Shows what a new controller would get in place of this one, and replaces it after confirmation. */
export function ReplaceDevice({
  device: { id, name },
  onClose,
  onReplaced,
}: {
  device: Device
  onClose: () => void
  onReplaced: (made: DeviceWithSecret) => void
}) {
  const { site } = useSite()
  const query = useOperation('getReplacement', { deviceId: id })
  const replace = useChange('replaceDevice', { onSuccess: (made) => onReplaced({ ...made, name }) })
  return (
    <Modal opened onClose={onClose} title={format(texts.title, { name })} size="lg" centered>
      <Stack>
        <Text>{texts.intro}</Text>
        <QueryView query={query}>{(plan) => <Plan plan={plan} timeZone={site.timeZone} />}</QueryView>
        <Alert color="yellow">{texts.oneMaster}</Alert>
        {replace.error && <ErrorNotice error={replace.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button
            color="red"
            loading={replace.isPending}
            disabled={!query.data}
            onClick={() => replace.mutate({ deviceId: id, body: { evenIfOnline: query.data?.online === true } })}
          >
            {texts.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Plan({ plan, timeZone }: { plan: Replacement; timeZone: string }) {
  const status = describeStatus(plan, timeZone)
  return (
    <>
      {plan.online && <Alert color="red">{texts.online}</Alert>}
      {status && <Text>{status}</Text>}
      <List>
        {describeReplacement(plan, timeZone).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </>
  )
}

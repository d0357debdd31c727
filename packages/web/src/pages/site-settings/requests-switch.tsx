import { Button, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useSite } from '../../api/use-site.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { siteSettings } from '../../texts/site-settings.ts'
import { useSiteChanges } from './use-site-changes.ts'

const texts = siteSettings.requests

/** Maintenance Requests on or off, with what that means. */
export function RequestsSwitch() {
  const { site, may } = useSite()
  const [asking, { open, close }] = useDisclosure()
  const isOn = site.maintenanceRequests
  const change = useSiteChanges(() => {
    close()
    notifications.show({ message: isOn ? texts.nowOff : texts.nowOn })
  })

  return (
    <Stack component="section" align="flex-start" maw={640}>
      <Title order={2} size="h3">
        {texts.title}
      </Title>
      <Text>{isOn ? texts.isOn : texts.isOff}</Text>
      {may('admin') && isOn && (
        <Button variant="default" onClick={open}>
          {texts.turnOff}
        </Button>
      )}
      {may('admin') && !isOn && (
        <Button onClick={() => change.mutate({ maintenanceRequests: true })} loading={change.isPending}>
          {texts.turnOn}
        </Button>
      )}
      {!isOn && change.error && <ErrorNotice error={change.error} />}
      <Confirm
        opened={asking}
        onClose={close}
        title={texts.offTitle}
        action={texts.turnOff}
        mutation={change}
        onConfirm={() => change.mutate({ maintenanceRequests: false })}
      >
        <Text>{texts.offConsequence}</Text>
      </Confirm>
    </Stack>
  )
}

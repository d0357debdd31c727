import '@mantine/notifications/styles.css'
import { Notifications as All } from '@mantine/notifications'

/** Shows what `notifications.show` was given, also before this was there. */
export const Notifications = () => <All position="bottom-center" />

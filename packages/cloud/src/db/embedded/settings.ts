import type { Connection, Layout } from './layout.ts'

/** Arguments of `initdb`: a cluster that looks the same whatever locales and time zone the machine has. */
export function initdbArguments(folder: string, connection: Connection): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${connection.user}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    // These go to postgresql.conf, where an operator may change them.
    '--set=max_connections=100',
    '--set=shared_buffers=32MB',
    '--set=timezone=UTC',
  ]
}

/** Arguments of `postgres`. What stands here cannot be changed in postgresql.conf: the launcher relies on it. */
export function serverArguments(layout: Layout, connection: Connection): string[] {
  const settings = {
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    port: String(connection.port),
    unix_socket_directories: `"${connection.host.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    cluster_name: layout.clusterName,
    update_process_title: 'on',
    ...LOGGING,
  }
  return ['-D', layout.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

const LOGGING = {
  log_destination: 'stderr',
  logging_collector: 'on',
  log_directory: 'log',
  // One file a weekday, emptied when its day comes again. A rotation by size would append, so it is off.
  log_filename: 'server-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Details and statements hold what users typed: they have no place in a log and would make it large.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

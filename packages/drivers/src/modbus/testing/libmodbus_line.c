/*
 * Unit 7 of a serial line by libmodbus, with 100 holding registers that hold their own address. Arguments: the path of the
 * port. Prints a line when it is ready, and ends when stdin does. Everything on the line is libmodbus's own.
 */
#include <errno.h>
#include <modbus/modbus.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { REGISTERS = 100, UNIT = 7 };

int main(int count, char **arguments) {
  if (count < 2) return 2;
  modbus_t *context = modbus_new_rtu(arguments[1], 19200, 'N', 8, 1);
  modbus_mapping_t *map = modbus_mapping_new(1, 1, REGISTERS, 1);
  if (!context || !map || modbus_set_slave(context, UNIT) != 0 || modbus_connect(context) != 0) return 1;
  for (int index = 0; index < REGISTERS; index += 1) map->tab_registers[index] = (uint16_t)index;
  puts("ready");
  fflush(stdout);

  struct pollfd places[] = {{STDIN_FILENO, POLLIN, 0}, {modbus_get_socket(context), POLLIN, 0}};
  while (poll(places, 2, -1) >= 0 && !places[0].revents) {
    uint8_t request[MODBUS_RTU_MAX_ADU_LENGTH];
    const int length = modbus_receive(context, request);
    if (length > 0) modbus_reply(context, request, length, map);
    else if (length < 0 && errno == EIO) return 1;
  }
  return 0;
}

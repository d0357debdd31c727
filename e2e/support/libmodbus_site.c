/*
 * A site by libmodbus: a battery whose setpoint is register 100 (0.1 kW) and a grid meter in registers 0 and 1 (W, high word
 * first). The meter shows what people draw, which is register 200 (0.1 kW), and what the battery draws. Prints its port, and
 * ends when stdin does. Everything on the wire is libmodbus's own.
 */
#include <modbus/modbus.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REGISTERS = 201, METER = 0, SETPOINT = 100, PEOPLE = 200, CLIENTS = 16, PLACES = CLIENTS + 2 };
#define RAMP_KW_PER_SECOND 20.0

static double battery_kw = 5.0;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Moves the battery towards its setpoint, and the meter to what flows. */
static void follow(uint16_t *registers, double elapsed) {
  const double most = RAMP_KW_PER_SECOND * elapsed;
  const double missing = (int16_t)registers[SETPOINT] / 10.0 - battery_kw;
  battery_kw += missing > most ? most : missing < -most ? -most : missing;
  const int32_t watts = (int32_t)(((int16_t)registers[PEOPLE] / 10.0 + battery_kw) * 1000.0);
  registers[METER] = (uint16_t)((uint32_t)watts >> 16);
  registers[METER + 1] = (uint16_t)watts;
}

int main(void) {
  modbus_t *context = modbus_new_tcp("127.0.0.1", 0);
  modbus_mapping_t *map = modbus_mapping_new(1, 1, REGISTERS, 1);
  const int listening = context && map ? modbus_tcp_listen(context, CLIENTS) : -1;
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  if (listening < 0 || getsockname(listening, (struct sockaddr *)&address, &length) != 0) return 1;
  map->tab_registers[SETPOINT] = 50;
  map->tab_registers[PEOPLE] = 400;
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);

  struct pollfd places[PLACES] = {{STDIN_FILENO, POLLIN, 0}, {listening, POLLIN, 0}};
  for (int index = 2; index < PLACES; index += 1) places[index] = (struct pollfd){-1, POLLIN, 0};
  double at = seconds();
  while (poll(places, PLACES, 50) >= 0) {
    follow(map->tab_registers, seconds() - at);
    at = seconds();
    if (places[0].revents) break;
    if (places[1].revents) {
      const int client = accept(listening, NULL, NULL);
      int free = 2;
      while (free < PLACES && places[free].fd >= 0) free += 1;
      if (free < PLACES) places[free].fd = client;
      else close(client);
    }
    for (int index = 2; index < PLACES; index += 1) {
      if (places[index].fd < 0 || !places[index].revents) continue;
      uint8_t query[MODBUS_TCP_MAX_ADU_LENGTH];
      modbus_set_socket(context, places[index].fd);
      const int received = modbus_receive(context, query);
      if (received > 0) modbus_reply(context, query, received, map);
      if (received >= 0) continue;
      close(places[index].fd);
      places[index].fd = -1;
    }
  }
  modbus_mapping_free(map);
  modbus_free(context);
  return 0;
}

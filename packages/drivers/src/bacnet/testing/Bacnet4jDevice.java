import com.serotonin.bacnet4j.LocalDevice;
import com.serotonin.bacnet4j.npdu.ip.IpNetworkBuilder;
import com.serotonin.bacnet4j.obj.AnalogInputObject;
import com.serotonin.bacnet4j.obj.AnalogValueObject;
import com.serotonin.bacnet4j.obj.BACnetObject;
import com.serotonin.bacnet4j.obj.BinaryOutputObject;
import com.serotonin.bacnet4j.transport.DefaultTransport;
import com.serotonin.bacnet4j.type.Encodable;
import com.serotonin.bacnet4j.type.constructed.PriorityArray;
import com.serotonin.bacnet4j.type.constructed.PropertyValue;
import com.serotonin.bacnet4j.type.enumerated.BinaryPV;
import com.serotonin.bacnet4j.type.enumerated.EngineeringUnits;
import com.serotonin.bacnet4j.type.enumerated.Polarity;
import com.serotonin.bacnet4j.type.enumerated.PropertyIdentifier;
import com.serotonin.bacnet4j.type.primitive.Enumerated;
import com.serotonin.bacnet4j.type.primitive.Null;
import com.serotonin.bacnet4j.type.primitive.Real;
import com.serotonin.bacnet4j.type.primitive.UnsignedInteger;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A BACnet device by BACnet4J, driven by the lines of JSON that bacpypes_device.py describes. */
public final class Bacnet4jDevice {
  private static final Pattern NUMBER = Pattern.compile("\\{\"port\":(\\d+)\\}");
  private static final Pattern REQUEST =
      Pattern.compile("\\{\"(\\w+)\":\\[?\"([a-z-]+,\\d+)\"(?:,(null|[\\d.]+)\\])?\\}");

  public static void main(String[] given) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    Matcher first = NUMBER.matcher(lines.readLine());
    if (!first.matches()) throw new IllegalArgumentException("the first line must be a port");
    int asked = Integer.parseInt(first.group(1));
    int port = asked == 0 ? freePort() : asked;
    var network =
        new IpNetworkBuilder()
            .withLocalBindAddress("127.0.0.1")
            .withBroadcast("127.0.0.1", 32)
            .withPort(port)
            .build();
    LocalDevice device = new LocalDevice(1234, new DefaultTransport(network));
    device.writePropertyInternal(
        PropertyIdentifier.objectName, new com.serotonin.bacnet4j.type.primitive.CharacterString("BACnet4J"));
    AnalogValueObject setpoint =
        new AnalogValueObject(device, 1, "setpoint", 5, EngineeringUnits.kilowatts, false);
    setpoint.supportCovReporting(0.1f).supportCommandable(5);
    BinaryOutputObject fan =
        new BinaryOutputObject(device, 1, "fan", BinaryPV.inactive, false, Polarity.normal, BinaryPV.inactive);
    AnalogInputObject meter =
        new AnalogInputObject(device, 1, "meter", 1.5f, EngineeringUnits.kilowatts, false);
    meter.supportCovReporting(0.1f);
    Map<String, BACnetObject> objects =
        Map.of("analog-value,1", setpoint, "binary-output,1", fan, "analog-input,1", meter);
    device.initialize();
    System.out.println("{\"port\":" + port + "}");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher request = REQUEST.matcher(line);
      if (!request.matches()) throw new IllegalArgumentException(line);
      BACnetObject object = objects.get(request.group(2));
      String value = request.group(3);
      switch (request.group(1)) {
        case "slots" -> System.out.println("{\"slots\":" + slotsOf(object) + "}");
        case "set" -> {
          object.writePropertyInternal(PropertyIdentifier.presentValue, new Real(Float.parseFloat(value)));
          System.out.println("{}");
        }
        case "operator" -> {
          Encodable content = "null".equals(value) ? Null.instance : new Real(Float.parseFloat(value));
          UnsignedInteger slot = new UnsignedInteger(8);
          object.writeProperty(null, new PropertyValue(PropertyIdentifier.presentValue, null, content, slot));
          System.out.println("{}");
        }
        default -> throw new IllegalArgumentException(line);
      }
    }
    device.terminate();
  }

  private static int freePort() throws Exception {
    try (DatagramSocket probe = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      return probe.getLocalPort();
    }
  }

  private static String slotsOf(BACnetObject object) {
    PriorityArray slots = object.get(PropertyIdentifier.priorityArray);
    StringJoiner shown = new StringJoiner(",", "[", "]");
    for (int slot = 1; slot <= 16; slot += 1) {
      Encodable value = slots.getBase1(slot).getValue();
      if (value instanceof Real real) shown.add(String.valueOf(real.floatValue()));
      else if (value instanceof Enumerated state) shown.add(String.valueOf(state.intValue()));
      else shown.add("null");
    }
    return shown.toString();
  }
}

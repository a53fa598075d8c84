"""RAUC and logind as far as the reader uses them, for python-dbusmock.

An installation takes a few steps; what it ends with depends on the first word of the bundle.
The test reads the marks, and boots the machine, by the interface test.Rauc.
"""

import dbus
import dbus.service
from gi.repository import GLib

BUS_NAME = "de.pengutronix.rauc"
MAIN_OBJ = "/"
MAIN_IFACE = "de.pengutronix.rauc.Installer"
SYSTEM_BUS = True
STEPS = [(0, "Installing"), (20, "Checking bundle"), (40, "Copying image"), (90, "Updating slots")]


def load(mock, parameters):
    mock.slots = {
        "rootfs.0": {"bootname": "A", "state": "booted", "boot-status": "good",
                     "class": "rootfs", "bundle.version": "1.0.0"},
        "rootfs.1": {"bootname": "B", "state": "inactive", "boot-status": "bad", "class": "rootfs"},
        "appfs.0": {"state": "active", "class": "appfs", "parent": "rootfs.0"},
    }
    mock.primary = "rootfs.0"
    mock.old = bool(parameters.get("old", False))
    mock.AddProperties(MAIN_IFACE, {
        "Operation": dbus.String("idle"),
        "LastError": dbus.String(""),
        "Progress": dbus.Struct((dbus.Int32(0), "", dbus.Int32(0)), signature="isi"),
        "Compatible": dbus.String("test-reader"),
        "BootSlot": dbus.String("rootfs.0"),
    })


def _set(mock, **values):
    mock.UpdateProperties(MAIN_IFACE, values)


def _progress(mock, percent, text):
    # The mock cannot tell a change of a struct: who wants to know it must ask.
    mock.props[MAIN_IFACE]["Progress"] = dbus.Struct(
        (dbus.Int32(percent), text, dbus.Int32(1)), signature="isi")


def _state(mock, name, **values):
    mock.slots[name].update(values)


@dbus.service.method(MAIN_IFACE, in_signature="", out_signature="a(sa{sv})")
def GetSlotStatus(self):
    return dbus.Array(
        [dbus.Struct((name, dbus.Dictionary(status, signature="sv")), signature="sa{sv}")
         for name, status in self.slots.items()], signature="(sa{sv})")


@dbus.service.method(MAIN_IFACE, in_signature="", out_signature="s")
def GetPrimary(self):
    return self.primary


@dbus.service.method(MAIN_IFACE, in_signature="sa{sv}", out_signature="a{sv}")
def InspectBundle(self, bundle, args):
    if self.old:
        raise dbus.exceptions.DBusException(
            "No such method", name="org.freedesktop.DBus.Error.UnknownMethod")
    return {"update": dbus.Dictionary(dict(zip(("compatible", "version"), _inspect(bundle))),
                                      signature="sv")}


@dbus.service.method(MAIN_IFACE, in_signature="s", out_signature="ss")
def Info(self, bundle):
    return _inspect(bundle)


def _inspect(path):
    with open(path, "rb") as bundle:
        content = bundle.read()
    if content.startswith(b"unsigned"):
        raise dbus.exceptions.DBusException(
            "signature verification failed", name="org.gtk.GDBus.UnmappedGError.Quark")
    compatible = "another" if content.startswith(b"foreign") else "test-reader"
    return compatible, "2.0.0"


@dbus.service.method(MAIN_IFACE, in_signature="sa{sv}", out_signature="")
def InstallBundle(self, path, args):
    if self.Get(MAIN_IFACE, "Operation") != "idle":
        raise dbus.exceptions.DBusException(
            "already processing a different method", name="org.gtk.GDBus.UnmappedGError.Quark")
    with open(path, "rb") as bundle:
        fails = bundle.read().startswith(b"failing")
    steps = list(STEPS)
    _set(self, Operation="installing", LastError="")
    other = next(name for name, slot in self.slots.items()
                 if "bootname" in slot and slot["state"] != "booted")
    _state(self, other, **{"boot-status": "bad"})

    def step():
        if steps:
            percent, text = steps.pop(0)
            _progress(self, percent, text)
            return True
        if fails:
            _set(self, Operation="idle", LastError="Installation error: no space left on slot")
            self.EmitSignal(MAIN_IFACE, "Completed", "i", [dbus.Int32(1)])
            return False
        _state(self, other, **{"boot-status": "good", "bundle.version": "2.0.0", "status": "ok"})
        self.primary = other
        _progress(self, 100, "Installing done.")
        _set(self, Operation="idle")
        self.EmitSignal(MAIN_IFACE, "Completed", "i", [dbus.Int32(0)])
        return False

    GLib.timeout_add(150, step)


@dbus.service.method(MAIN_IFACE, in_signature="ss", out_signature="ss")
def Mark(self, state, slot):
    found = slot
    if slot == "booted":
        found = next(name for name, one in self.slots.items() if one["state"] == "booted")
    if found not in self.slots:
        raise dbus.exceptions.DBusException(
            f"No slot with name {slot} found", name="org.gtk.GDBus.UnmappedGError.Quark")
    if state == "active":
        self.primary = found
        _state(self, found, **{"boot-status": "good"})
    else:
        _state(self, found, **{"boot-status": state})
    self.marks = getattr(self, "marks", []) + [f"{state} {found}"]
    return found, f"marked slot {found} as {state}"


@dbus.service.method("test.Rauc", in_signature="", out_signature="as")
def Marks(self):
    return dbus.Array(getattr(self, "marks", []), signature="s")


@dbus.service.method("test.Rauc", in_signature="", out_signature="")
def Boot(self):
    """The machine boots, as the boot loader has it: the primary, if it is good."""
    target = self.primary
    if self.slots[target]["boot-status"] != "good":
        target = next(name for name, one in self.slots.items() if one.get("boot-status") == "good")
    for name, slot in self.slots.items():
        if "bootname" in slot:
            slot["state"] = "booted" if name == target else "inactive"


@dbus.service.method("test.Rauc", in_signature="s", out_signature="")
def BootLoaderGivesUp(self, name):
    """As if the slot had used up its boots."""
    self.slots[name]["boot-status"] = "bad"

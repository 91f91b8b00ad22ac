// What the device library's other files hold: nothing.

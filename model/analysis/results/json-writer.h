/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JSON_WRITER_H
#define PHOTONIC_RAILS_JSON_WRITER_H

#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes JSON (RFC 8259) to a stream, in the order of the calls.
 *
 * Integers are written whole: 64 bits of picoseconds survive. Doubles are written so that reading
 * them back gives the same double; a value that is not a finite number becomes null.
 *
 * @code
 * JsonWriter json(std::cout);
 * json.BeginObject();
 * json.Field("bytes", uint64_t{5});
 * json.BeginArray("times_ps");
 * json.Value(int64_t{7});
 * json.EndArray();
 * json.EndObject();
 * @endcode
 */
class JsonWriter
{
  public:
    explicit JsonWriter(std::ostream& os);

    /** Begins an object that is the whole text, or the next element of an array. */
    void BeginObject();
    /** Begins an object. @param key its key in the object around it */
    void BeginObject(const std::string& key);
    /** Ends the object that was opened last. */
    void EndObject();

    /** Begins an array that is the whole text, or the next element of an array. */
    void BeginArray();
    /** Begins an array. @param key its key in the object around it */
    void BeginArray(const std::string& key);
    /** Ends the array that was opened last. */
    void EndArray();

    /**
     * Writes the next element of an array.
     * @param value a string, a number or a truth value
     */
    template <typename T>
    void Value(const T& value)
    {
        Separate();
        Write(value);
    }

    /** Writes the next element of an array. @param json complete text, such as an object */
    void RawValue(const std::string& json);

    /** Writes a member of an object. @param json complete text */
    void RawField(const std::string& key, const std::string& json);

    /**
     * Writes a member of an object.
     * @param value a string, a number or a truth value
     */
    template <typename T>
    void Field(const std::string& key, const T& value)
    {
        Key(key);
        Write(value);
    }

  private:
    /** Writes a comma and a new line where necessary. */
    void Separate();
    /** Writes a key, and the separator before it. */
    void Key(const std::string& key);
    /** Opens an object or an array. */
    void Open(char bracket);
    /** Closes an object or an array. */
    void Close(char bracket);

    void Write(const std::string& text);
    void Write(const char* text);
    void Write(bool value);
    void Write(double value);

    template <typename T>
    std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>> Write(T value)
    {
        m_os << +value;
    }

    std::ostream& m_os;
    std::vector<bool> m_empty; //!< for each open object or array, whether it is empty
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JSON_WRITER_H */
